"""Which language a text is in, as far as that tells how a tokenizer cuts its words.

Small words tell most, letters that few languages have tell the rest. Only languages in Latin letters need
to be told apart; other scripts tell themselves.
"""

from __future__ import annotations

from collections.abc import Mapping

ENGLISH = "english"
OTHER = "latin"  # some language in Latin letters

SMALL_WORDS = {
    ENGLISH: "the of and to in is that for it with as on be at by this have from or not are was but "
    "what all if you your can will would which there when more about them they has its i my "
    "me do how",
    "german": "der die das und ist nicht ich ein eine den dem des zu mit von auf für sich im auch es "
    "wie wir oder sie er aber wenn noch nach bei aus dass wird sind war hat kann mir zum zur "
    "einen einer",
    "czech": "je se na že to v a s z do k o pro ale jsem jako by si jsou ve za co jak tak od které "
    "když už jen po podle nebo která mě ze bez aby byla bylo byly při ještě nic není",
    "polish": "się nie na to jest że w z do i o jak co ale po tak za od dla czy jego jej był była by są "
    "przez tym tego lub oraz mi już jeśli które który kiedy proszę może ich pod",
    "french": "le la les de des du et un une est que qui dans en pour pas sur au aux ce cette il elle "
    "ne se je vous nous avec plus par sont son sa ses ou mais si leur été a être tout",
    "spanish": "el la los las de del que y en un una es por para con no se su al lo como más pero sus le "
    "ya o este sí porque esta entre cuando muy sin sobre también me hasta hay qué cuál está "
    "si",
    "italian": "il lo la i gli le di del della che e un una è per con non si su al da in sono come ma "
    "anche più nel alla dei delle ha o questo mi se ho ci cosa era quando ancora",
    "portuguese": "o a os as de do da dos das que e em um uma é para com não se no na por mais ao como mas "
    "foi seu sua ou quando muito já eu também só pelo pela até isso ela ele você está são",
    "dutch": "de het een en van in is dat op te zijn met voor niet aan er om ook als bij maar nog naar "
    "dan of uit worden wordt die ze je ik hij wat kan heeft had over deze zo door",
    "swedish": "och att det i en som är på för med av den till inte om ett har de jag han vi kan men var "
    "från så eller när nu där man ska mot hon sig efter upp här dig mig vad dem",
    "hungarian": "a az és hogy nem is egy meg de ha van ez csak már mint vagy el ki még volt mert azt után "
    "aki minden kell lesz be ami fel én azonban ezt le nincs ne",
    "romanian": "de și în la a cu pe nu că o este se care un din să pentru mai sunt dar au am ce sau după "
    "prin fi fost lui ei le îl te fără până când mi nici dacă",
    "turkish": "ve bir bu için de da ile çok olarak ne daha gibi ama var olan o ben sen mi kadar sonra "
    "en her ise ki değil ya yok şey bana göre olduğunu",
    "vietnamese": "của và là có không được cho các trong một người với những này đã khi để ở tôi về như "
    "cũng thì từ bạn nhiều ra đến hay rất nếu hãy lại số",
    "indonesian": "yang dan di itu dengan untuk tidak ini dari dalam akan pada juga saya ke karena ada "
    "mereka sudah atau bisa kami kita oleh tersebut dia anda seperti telah apa kalau bahwa "
    "lebih sebagai tolong",
}
_LETTERS = {
    "german": "äöüß",
    "czech": "ěščřžýáíéúůďťň",
    "polish": "ąćęłńóśźż",
    "french": "àâçéèêëîïôùûœ",
    "spanish": "áéíóúñ¿¡",
    "italian": "àèéìòù",
    "portuguese": "áâãàçéêíóôõú",
    "swedish": "åäö",
    "hungarian": "áéíóöőúüű",
    "romanian": "ăâîșțşţ",
    "turkish": "çğıöşü",
    "vietnamese": "ăâđêôơưáàãạảấầẩẫậắằẳẵặéèẻẽẹếềểễệíìỉĩịóòỏõọốồổỗộớờởỡợúùủũụứừửữựýỳỷỹỵ",
}
_ENOUGH = 0.05  # of the words that must tell a language, for one that is not English


def _by(said: Mapping[str, list[str] | str]) -> dict[str, tuple[tuple[str, float], ...]]:
    """What each word or letter tells: the languages that have it, and how much it tells of each."""
    found: dict[str, list[str]] = {}
    for language, those in said.items():
        for each in those:
            found.setdefault(each, []).append(language)
    return {each: tuple((name, 1 / len(names)) for name in names) for each, names in found.items()}


_WORDS_TELL = _by({language: words.split() for language, words in SMALL_WORDS.items()})
_LETTERS_TELL = _by(_LETTERS)


def language_of(words: Mapping[str, int]) -> str:
    """The language of a text in Latin letters, by its words in small letters and how often each stands there.
    English where nothing tells another one: programs and names are written in its letters too."""
    tells: dict[str, float] = {}
    accents, total = 0, 0
    for word, times in words.items():
        total += times
        for language, weight in _WORDS_TELL.get(word, ()):
            tells[language] = tells.get(language, 0.0) + weight * times
        if not word.isascii():
            for letter in word:
                if letter.isascii():
                    continue
                accents += times
                for language, weight in _LETTERS_TELL.get(letter, ()):
                    tells[language] = tells.get(language, 0.0) + weight * times
    if not tells:
        return OTHER if accents > total / 10 else ENGLISH
    language = max(tells, key=tells.__getitem__)
    if language != ENGLISH and tells[language] < _ENOUGH * total:
        return OTHER if accents > total / 10 else ENGLISH
    return language
