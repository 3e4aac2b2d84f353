"""Words that stand in requests of every kind, so that they tell little about what is asked for.

English and Dutch words by their plain form, Chinese by the pairs of characters that the index knows.
"""

from __future__ import annotations

COMMON = frozenset(
    """
    able actually add age ago air also amount answer apart area arm around arrive ask away baby back bad bag
    ball bank base beautiful become bed begin behind believe best better between big bit black blue body
    book both bottom box boy break bring brother brown build bus busy buy call calm care carry case cat
    catch cause centre certain chance change check child children choice choose city clear click close code
    cold color colour come common compare complete continue control copy corner correct count country couple
    course cover create cross cut dad dark daughter day dead deal dear decide deep describe design detail
    develop die difference different difficult discuss doctor dog door double draft draw drink drive drop
    dry during early earth easy eat edit effect eight else empty end enough even evening ever everybody
    everyone everything exact exactly example expect explain extra eye face fact fair fall family far fast
    father favourite feel feet fifty file fill final finally find fine finish fire first five fix floor fly
    follow food foot forget form forward four free fresh friday friend full fun funny game general get girl
    give glass go gone good great green grey ground group grow guess guy half hall hand happen happy hard
    head hear heart heavy hello help hi high history hold hole home hope hot hour house however huge human
    hundred idea imagine important inside instead interest interesting job join joke keep key kind king know
    lady land language large last late later law lay lead learn leave left leg less let letter level lie
    life light line list listen little live local long look lose lot loud love low luck lunch machine main
    man many mark matter maybe mean meaning member men middle mind minute miss model mom moment monday money
    month moon morning mother mouth move music name near nearly need never new news next nice night nine
    nobody noise none normal north note nothing notice number often old open opinion option order others
    outside page pair paper paragraph parent part party pass past pay people per perfect perhaps period
    person pick picture piece place plan play poem point possible power present pretty probably problem
    process produce program project promise put question quick quickly quiet quite rain rather read ready
    real really reason red remember remind remove rest rich right ring rise river road room round rule run
    sad safe saturday save say school sea second see seem sell send sense sentence service set seven several
    shape share short should shoulder show side sign simple simply since sing single sister sit six size sky
    sleep slow small smart smile snow somebody someone something sometimes son song soon sorry sort sound
    south speak special spend spring stand star start state stay step stick still stone stop store story
    strange street strong stuff subject sudden suggest summer sun sunday sure surprise system table take
    talk task taste teach team tell ten test text than thank thing things think third thought thousand three
    throw thursday tie time tired title today together tomorrow tonight top total touch town trick trip
    trouble true trust truth try tuesday turn tv twelve twenty twice two type understand understood until
    update use usual usually view visit voice wait walk wall want watch water way wear weather wednesday
    week weekend weight welcome west wet whether white whole wide wife win wind window winter wish within
    without woman women wonder wood word words work world worry write wrong year yellow yesterday young

    aantal achter allemaal allen alsof antwoord avond beetje begin begrijp bestand beste betekent beter
    bijna binnen blij blijf boek boven brengen broer buiten daarna dag dagen dank denk dertig dicht ding
    dingen dochter donker drie droom duidelijk duurt echt eerder eerste eigen einde elke enkele erg ergens
    even familie fijn fout gaat gebruik geef geld geleden geloof geven gewoon gister gisteren goed goede
    grap groep groot grote haal hallo hand hard heel helemaal help hetzelfde hoeveel hoofd huis idee
    iedereen iemand jaar jaren jong juist kamer kant keer kijk kind kinderen klaar klein kleine klopt koken
    komen komt kopen kort korter kosten krijgt laat laatste land lang langer later lees leg leggen leren
    leuk liefst liever links los maak maakt maand maandag maanden maken makkelijk manier mens mensen middag
    minder minuten misschien moeder moeilijk mogelijk mooi morgen morgens naam naast nacht natuurlijk nee
    neem nemen niemand nieuw nieuwe nodig nummer ochtend oma opa oud oude overal paar pak plaats plek praten
    precies probeer punt raad rechts reden regel rond rustig samen school schrijf schrijven snap snel soms
    soort spel staan staat stad stap stel stop straat straks stuk tafel tekst tien tijd tijdens toon tussen
    twee tweede uitleg uur vader vanaf vanavond vandaag vanmiddag vannacht ver verder verhaal verkeerd
    vertel vier vijf vind vinden vogel volgende voorbeeld vorige vraag vragen vriend vrij vrijdag vrouw
    waarom waarschijnlijk wakker wanneer warm water week weer weet weken wens wereld werk werken weten wil
    woensdag woord woorden zaterdag zee zeg zeggen zegt zelf zes zet zetten zeven zie zien ziet zoek zoeken
    zomer zondag zoon zus

    一下 一些 一句 一点 一种 一起 一样 一天 不会 不同 不对 不是 不要 不能 两个 两天 为什 么时 什么 今天 今年
    今晚 介绍 他们 以后 以前 但是 你们 你好 使用 先生 具体 其他 再见 再说 写一 几个 别的 前面 加上 办法 包括
    历史 可能 可以 名字 后面 告诉 周末 哪个 哪些 哪里 喜欢 因为 地方 多少 大家 天气 好吗 好的 如果 如何 孩子
    家里 就是 已经 帮我 帮忙 应该 开始 心情 怎么 怎样 想要 意思 感觉 我们 我想 所以 推荐 故事 新的 方法 早上
    时候 时间 明天 明白 昨天 晚上 最后 最近 有点 有关 有没 朋友 没有 法子 特别 现在 生活 电影 的时 的话 目前
    看看 知道 第一 第二 第三 笑话 简单 给我 继续 而且 能不 自己 要不 觉得 解释 许多 说说 请你 请问 谢谢 起来
    还是 这个 这些 这样 这种 这里 那个 那么 那些 里面 问题 非常 下面 上面 内容 一个 一首 一篇 两次 一次 每天
    下个 上个 个月 这份 这篇 这周 本周 下周 上周
    """.split()  # noqa: SIM905 - a list of some hundred literals reads worse
)
