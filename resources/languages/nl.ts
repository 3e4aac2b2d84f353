<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="nl">
<context>
    <name>Actions</name>
    <message>
        <source>Use it in your own words…</source>
        <translation>Gebruiken in je eigen woorden…</translation>
    </message>
    <message>
        <source>Ctrl+Enter. It can be undone.</source>
        <translation>Ctrl+Enter. Je kunt het ongedaan maken.</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bewerken</translation>
    </message>
    <message>
        <source>Try it first…</source>
        <translation>Eerst proberen…</translation>
    </message>
    <message>
        <source>Reject…</source>
        <translation>Afwijzen…</translation>
    </message>
    <message>
        <source>Approve and retire it</source>
        <translation>Goedkeuren en archiveren</translation>
    </message>
    <message>
        <source>Approve</source>
        <translation>Goedkeuren</translation>
    </message>
    <message>
        <source>Until tomorrow</source>
        <translation>Tot morgen</translation>
    </message>
    <message>
        <source>For three days</source>
        <translation>Drie dagen</translation>
    </message>
    <message>
        <source>For a week</source>
        <translation>Een week</translation>
    </message>
    <message>
        <source>For a month</source>
        <translation>Een maand</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>Later</translation>
    </message>
    <message>
        <source>Switch off</source>
        <translation>Uitzetten</translation>
    </message>
    <message>
        <source>Switch on</source>
        <translation>Aanzetten</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Meer</translation>
    </message>
    <message>
        <source>Trust it no longer</source>
        <translation>Niet meer vertrouwen</translation>
    </message>
    <message>
        <source>Trust it as your own words</source>
        <translation>Vertrouwen als je eigen woorden</translation>
    </message>
    <message>
        <source>Only for some agents…</source>
        <translation>Alleen voor sommige agents…</translation>
    </message>
    <message>
        <source>Put shortly</source>
        <translation>Korter maken</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>Opnieuw meten</translation>
    </message>
    <message>
        <source>Export to a folder…</source>
        <translation>Exporteren naar een map…</translation>
    </message>
    <message>
        <source>Retire</source>
        <translation>Archiveren</translation>
    </message>
    <message>
        <source>“{name}” is approved.</source>
        <translation>“{name}” is goedgekeurd.</translation>
    </message>
    <message>
        <source>“{name}” is retired.</source>
        <translation>“{name}” is gearchiveerd.</translation>
    </message>
    <message>
        <source>“{name}” is rejected and will not be offered again.</source>
        <translation>“{name}” is afgewezen en wordt niet opnieuw voorgesteld.</translation>
    </message>
    <message numerus="yes">
        <source>“{name}” comes back in %n day(s).</source>
        <translation>
            <numerusform>“{name}” komt over %n dag terug.</numerusform>
            <numerusform>“{name}” komt over %n dagen terug.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>“{name}” is on trial for %n conversation(s).</source>
        <translation>
            <numerusform>“{name}” is %n gesprek op proef.</numerusform>
            <numerusform>“{name}” is %n gesprekken op proef.</numerusform>
        </translation>
    </message>
    <message>
        <source>“{name}” is on.</source>
        <translation>“{name}” staat aan.</translation>
    </message>
    <message>
        <source>“{name}” is off.</source>
        <translation>“{name}” staat uit.</translation>
    </message>
    <message>
        <source>“{name}” is trusted.</source>
        <translation>“{name}” wordt vertrouwd.</translation>
    </message>
    <message>
        <source>“{name}” is trusted no longer.</source>
        <translation>“{name}” wordt niet meer vertrouwd.</translation>
    </message>
    <message>
        <source>A short form waits for you.</source>
        <translation>Een kortere versie wacht op je.</translation>
    </message>
    <message>
        <source>“{name}” is being measured…</source>
        <translation>“{name}” wordt gemeten…</translation>
    </message>
    <message>
        <source>“{name}” was measured again: {words}.</source>
        <translation>“{name}” is opnieuw gemeten: {words}.</translation>
    </message>
    <message>
        <source>Export to which folder?</source>
        <translation>Naar welke map exporteren?</translation>
    </message>
</context>
<context>
    <name>AddAgentDialog</name>
    <message>
        <source>Add an agent</source>
        <translation>Agent toevoegen</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Toevoegen</translation>
    </message>
    <message>
        <source>It gets a token of its own, and nothing of it is changed.</source>
        <translation>Hij krijgt een eigen token. Aan de agent zelf verandert niets.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuleren</translation>
    </message>
</context>
<context>
    <name>AddressFields</name>
    <message>
        <source>Address for OpenAI&apos;s protocols</source>
        <translation>Adres voor de protocollen van OpenAI</translation>
    </message>
    <message>
        <source>Address for Anthropic&apos;s protocol</source>
        <translation>Adres voor het protocol van Anthropic</translation>
    </message>
    <message>
        <source>Token, where one is asked for</source>
        <translation>Token, waar erom gevraagd wordt</translation>
    </message>
</context>
<context>
    <name>AgentDetail</name>
    <message>
        <source>Use skills with this agent</source>
        <translation>Vaardigheden gebruiken bij deze agent</translation>
    </message>
    <message>
        <source>Model that it reaches</source>
        <translation>Model dat hij bereikt</translation>
    </message>
    <message>
        <source>Seen {when}</source>
        <translation>Gezien: {when}</translation>
    </message>
    <message>
        <source>Not seen yet</source>
        <translation>Nog niet gezien</translation>
    </message>
    <message>
        <source>It works: a request of {name} came {when}.</source>
        <translation>Het werkt: {when} kwam er een verzoek van {name}.</translation>
    </message>
    <message>
        <source>Nothing came yet. Ask {name} anything; this changes as soon as it asks.</source>
        <translation>Er kwam nog niets. Vraag {name} iets; zodra hij iets vraagt, zie je het hier.</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Testen</translation>
    </message>
    <message>
        <source>Look whether a request of it came</source>
        <translation>Kijk of er een verzoek van hem kwam</translation>
    </message>
    <message>
        <source>Its token was shown once and is kept where nobody reads it. To see ready-made lines again, make a new token; the old one opens nothing from then on.</source>
        <translation>Zijn token is één keer getoond en wordt bewaard waar niemand het leest. Wil je de kant-en-klare regels opnieuw zien, maak dan een nieuw token; het oude opent vanaf dat moment niets meer.</translation>
    </message>
    <message>
        <source>New token…</source>
        <translation>Nieuw token…</translation>
    </message>
    <message>
        <source>Point it here</source>
        <translation>Hierheen verwijzen</translation>
    </message>
    <message>
        <source>I have it</source>
        <translation>Ik heb het</translation>
    </message>
    <message>
        <source>The addresses hold the token. This is shown once: copy what you need.</source>
        <translation>In de adressen staat het token. Je ziet dit één keer: kopieer wat je nodig hebt.</translation>
    </message>
    <message>
        <source>What all agents reach ({name})</source>
        <translation>Wat alle agents bereiken ({name})</translation>
    </message>
    <message>
        <source>Off: it is only watched. It is learnt from, but its requests stay as they are.</source>
        <translation>Uit: er wordt alleen meegekeken. Er wordt van geleerd, maar de verzoeken blijven zoals ze zijn.</translation>
    </message>
    <message>
        <source>The provider that answers it.</source>
        <translation>De aanbieder die hem antwoordt.</translation>
    </message>
    <message>
        <source>What it may do</source>
        <translation>Wat hij mag</translation>
    </message>
    <message>
        <source>Remove this agent…</source>
        <translation>Deze agent verwijderen…</translation>
    </message>
</context>
<context>
    <name>AgentForm</name>
    <message>
        <source>What is it?</source>
        <translation>Wat is het?</translation>
    </message>
    <message>
        <source>A name for it</source>
        <translation>Een naam ervoor</translation>
    </message>
    <message>
        <source>So that you can tell its conversations from those of others.</source>
        <translation>Zodat je zijn gesprekken van die van andere kunt onderscheiden.</translation>
    </message>
    <message>
        <source>Give it a name of letters and digits.</source>
        <translation>Geef hem een naam van letters en cijfers.</translation>
    </message>
    <message>
        <source>There is an agent named {name} already.</source>
        <translation>Er is al een agent met de naam {name}.</translation>
    </message>
</context>
<context>
    <name>AgentStep</name>
    <message>
        <source>Connect an agent</source>
        <translation>Agent verbinden</translation>
    </message>
    <message>
        <source>It gets an address and a token of its own. Nothing is changed behind your back.</source>
        <translation>Hij krijgt een eigen adres en een eigen token. Er verandert niets buiten jou om.</translation>
    </message>
    <message>
        <source>Connected already: {names}. You can go on, or add another one.</source>
        <translation>Al verbonden: {names}. Je kunt verdergaan of er nog een toevoegen.</translation>
    </message>
    <message>
        <source>Let it in</source>
        <translation>Toelaten</translation>
    </message>
    <message>
        <source>Shown this once. Put the lines where they belong; the addresses hold the token.</source>
        <translation>Je ziet dit één keer. Zet de regels op hun plek; in de adressen staat het token.</translation>
    </message>
    <message>
        <source>Point {name} here</source>
        <translation>{name} hierheen verwijzen</translation>
    </message>
    <message>
        <source>Or by hand</source>
        <translation>Of met de hand</translation>
    </message>
</context>
<context>
    <name>AgentsPage</name>
    <message>
        <source>Add an agent</source>
        <translation>Agent toevoegen</translation>
    </message>
    <message>
        <source>Agents</source>
        <translation>Agents</translation>
    </message>
    <message>
        <source>Programs that ask a model through this app, each with a token of its own.</source>
        <translation>Programma’s die via deze app een model vragen, elk met een eigen token.</translation>
    </message>
    <message>
        <source>No agent is connected yet</source>
        <translation>Er is nog geen agent verbonden</translation>
    </message>
    <message>
        <source>Point an agent such as Claude Code or Codex at this app. It goes on as before; the app learns from what goes wrong and helps the next time.</source>
        <translation>Verwijs een agent zoals Claude Code of Codex naar deze app. Hij werkt zoals altijd; de app leert van wat misgaat en helpt de volgende keer.</translation>
    </message>
    <message>
        <source>not seen yet</source>
        <translation>nog niet gezien</translation>
    </message>
    <message>
        <source>The old token of {name} opens nothing any more, until the agent has the new one.</source>
        <translation>Het oude token van {name} opent niets meer, totdat de agent het nieuwe heeft.</translation>
    </message>
    <message>
        <source>Make a new token?</source>
        <translation>Nieuw token maken?</translation>
    </message>
    <message>
        <source>New token</source>
        <translation>Nieuw token</translation>
    </message>
    <message>
        <source>Its token opens nothing any more. Point {name} back first, or it cannot ask its model. What was learnt from it stays.</source>
        <translation>Zijn token opent niets meer. Verwijs {name} eerst terug, anders kan hij zijn model niet bereiken. Wat van hem geleerd is, blijft.</translation>
    </message>
    <message>
        <source>Remove this agent?</source>
        <translation>Deze agent verwijderen?</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Verwijderen</translation>
    </message>
</context>
<context>
    <name>Agreements</name>
    <message>
        <source>Please read first what it is about.</source>
        <translation>Lees eerst waar het om gaat.</translation>
    </message>
    <message>
        <source>Use this skill from now on?</source>
        <translation>Deze vaardigheid voortaan gebruiken?</translation>
    </message>
    <message>
        <source>Your agents get it with the requests that it fits, from the next one on.</source>
        <translation>Je agents krijgen haar bij de verzoeken waar ze bij past, vanaf het volgende.</translation>
    </message>
    <message>
        <source>Approve</source>
        <translation>Goedkeuren</translation>
    </message>
    <message>
        <source>Reject this skill?</source>
        <translation>Deze vaardigheid afwijzen?</translation>
    </message>
    <message>
        <source>Nothing changes for your agents, and it is not offered again.</source>
        <translation>Voor je agents verandert er niets, en ze wordt niet opnieuw voorgesteld.</translation>
    </message>
    <message>
        <source>Reject</source>
        <translation>Afwijzen</translation>
    </message>
    <message>
        <source>Try this skill first?</source>
        <translation>Deze vaardigheid eerst proberen?</translation>
    </message>
    <message>
        <source>Every other conversation that it fits gets it. Comparing the two halves shows whether it helps.</source>
        <translation>Om het andere gesprek waar ze bij past, krijgt haar. De vergelijking laat zien of ze helpt.</translation>
    </message>
    <message>
        <source>Start the trial</source>
        <translation>Proef starten</translation>
    </message>
    <message>
        <source>The trial ends by itself where it does harm, and you can end it any time.</source>
        <translation>De proef stopt vanzelf als ze schaadt, en jij kunt haar altijd stoppen.</translation>
    </message>
    <message>
        <source>Add this skill?</source>
        <translation>Deze vaardigheid toevoegen?</translation>
    </message>
    <message>
        <source>Add it</source>
        <translation>Toevoegen</translation>
    </message>
    <message>
        <source>Switch “{name}” on?</source>
        <translation>“{name}” aanzetten?</translation>
    </message>
    <message>
        <source>Switch on</source>
        <translation>Aanzetten</translation>
    </message>
    <message>
        <source>Switch “{name}” off?</source>
        <translation>“{name}” uitzetten?</translation>
    </message>
    <message>
        <source>Switch off</source>
        <translation>Uitzetten</translation>
    </message>
    <message>
        <source>No agent gets it any more. It stays in the list, to be switched on again.</source>
        <translation>Geen agent krijgt haar nog. Ze blijft in de lijst, zodat je haar weer kunt aanzetten.</translation>
    </message>
    <message>
        <source>Retire “{name}”?</source>
        <translation>“{name}” archiveren?</translation>
    </message>
    <message>
        <source>Retire</source>
        <translation>Archiveren</translation>
    </message>
    <message>
        <source>No agent gets it any more. It is kept among the retired ones.</source>
        <translation>Geen agent krijgt haar nog. Ze blijft bewaard in het archief.</translation>
    </message>
    <message>
        <source>From now on all agents get it, those to come too.</source>
        <translation>Voortaan krijgen alle agents haar, ook toekomstige.</translation>
    </message>
    <message>
        <source>From now on only these agents get it: {agents}.</source>
        <translation>Voortaan krijgen alleen deze agents haar: {agents}.</translation>
    </message>
    <message>
        <source>Change who gets “{name}”?</source>
        <translation>Wijzigen wie “{name}” krijgt?</translation>
    </message>
    <message>
        <source>Change who gets it</source>
        <translation>Wijzigen wie haar krijgt</translation>
    </message>
    <message>
        <source>Trust “{name}” as your own words?</source>
        <translation>“{name}” vertrouwen als je eigen woorden?</translation>
    </message>
    <message>
        <source>Trust it</source>
        <translation>Vertrouwen</translation>
    </message>
    <message>
        <source>Where you allowed that, changes of it that were measured to help are taken over without asking you first.</source>
        <translation>Waar je dat hebt toegestaan, worden wijzigingen die aantoonbaar helpen overgenomen zonder het je eerst te vragen.</translation>
    </message>
    <message>
        <source>Trust “{name}” no longer?</source>
        <translation>“{name}” niet meer vertrouwen?</translation>
    </message>
    <message>
        <source>Trust it no longer</source>
        <translation>Niet meer vertrouwen</translation>
    </message>
    <message>
        <source>It is used as before, and every change of it is put before you first.</source>
        <translation>Ze wordt gebruikt zoals eerst, en elke wijziging wordt eerst aan jou voorgelegd.</translation>
    </message>
    <message numerus="yes">
        <source>Import %n skill(s)?</source>
        <translation>
            <numerusform>%n vaardigheid importeren?</numerusform>
            <numerusform>%n vaardigheden importeren?</numerusform>
        </translation>
    </message>
    <message>
        <source>New ones are in use from the next request on. What differs from a skill of yours waits for you as a proposal.</source>
        <translation>Nieuwe worden vanaf het volgende verzoek gebruikt. Wat afwijkt van een vaardigheid van jou, wacht op je als voorstel.</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importeren</translation>
    </message>
    <message>
        <source>Take this back?</source>
        <translation>Dit terugdraaien?</translation>
    </message>
    <message>
        <source>Your skills stand as they did before it, from the next request on.</source>
        <translation>Je vaardigheden staan vanaf het volgende verzoek weer zoals ervoor.</translation>
    </message>
    <message>
        <source>Take it back</source>
        <translation>Terugdraaien</translation>
    </message>
    <message>
        <source>Taking back can be taken back too.</source>
        <translation>Ook terugdraaien kun je weer terugdraaien.</translation>
    </message>
    <message>
        <source>Return all skills to an earlier state?</source>
        <translation>Alle vaardigheden naar een eerdere stand terugzetten?</translation>
    </message>
    <message>
        <source>Every skill stands as it did in state {number} of your library.</source>
        <translation>Elke vaardigheid staat weer zoals in stand {number} van je bibliotheek.</translation>
    </message>
    <message>
        <source>Return to it</source>
        <translation>Terugzetten</translation>
    </message>
    <message>
        <source>In one step, under “History” of any skill that changed by it.</source>
        <translation>In één stap, onder “Geschiedenis” bij elke vaardigheid die erdoor veranderde.</translation>
    </message>
    <message>
        <source>Connect this calendar?</source>
        <translation>Deze agenda verbinden?</translation>
    </message>
    <message>
        <source>It is read now and every few minutes; training may run while you are in a meeting.</source>
        <translation>Ze wordt nu en elke paar minuten gelezen; tijdens een afspraak mag er getraind worden.</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>What opens the calendar, to its own host, and nothing else.</source>
        <translation>Wat toegang tot de agenda geeft, naar haar eigen server, en verder niets.</translation>
    </message>
    <message>
        <source>Disconnect it, any time: all that it said is forgotten.</source>
        <translation>Je kunt de verbinding altijd verbreken: alles wat ze zei, wordt vergeten.</translation>
    </message>
    <message>
        <source>Download this model?</source>
        <translation>Dit model downloaden?</translation>
    </message>
    <message>
        <source>It is kept on this machine and runs here: no key, no cost for its answers.</source>
        <translation>Het staat en draait op deze computer: geen sleutel, geen kosten voor antwoorden.</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Downloaden</translation>
    </message>
    <message>
        <source>The address below learns that somebody downloads it, and nothing else.</source>
        <translation>Het adres hieronder ziet dat iemand het downloadt, en verder niets.</translation>
    </message>
    <message>
        <source>Delete its file; the place is named below.</source>
        <translation>Verwijder het bestand; de plek staat hieronder.</translation>
    </message>
    <message>
        <source>Let the trained model answer?</source>
        <translation>Het getrainde model laten antwoorden?</translation>
    </message>
    <message>
        <source>It answers in conversations that begin from now on; others go on as they are.</source>
        <translation>Het antwoordt in gesprekken die vanaf nu beginnen; andere gaan verder zoals ze zijn.</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>Gebruiken</translation>
    </message>
    <message>
        <source>Roll back, any time: the one before it answers again.</source>
        <translation>Altijd terug te zetten: dan antwoordt het vorige weer.</translation>
    </message>
    <message>
        <source>Go back to the model before?</source>
        <translation>Terug naar het vorige model?</translation>
    </message>
    <message>
        <source>The one before it answers in conversations that begin from now on.</source>
        <translation>Het vorige antwoordt in gesprekken die vanaf nu beginnen.</translation>
    </message>
    <message>
        <source>Roll back</source>
        <translation>Terugzetten</translation>
    </message>
    <message>
        <source>Use this one again, any time.</source>
        <translation>Je kunt dit altijd weer gebruiken.</translation>
    </message>
    <message>
        <source>Install this part?</source>
        <translation>Dit onderdeel installeren?</translation>
    </message>
    <message>
        <source>It is put into a folder of the app&apos;s own; nothing else on this machine changes.</source>
        <translation>Het komt in een eigen map van de app; verder verandert er niets op deze computer.</translation>
    </message>
    <message>
        <source>Install</source>
        <translation>Installeren</translation>
    </message>
    <message>
        <source>The addresses below learn that somebody downloads it, and nothing else.</source>
        <translation>De adressen hieronder zien dat iemand het downloadt, en verder niets.</translation>
    </message>
    <message>
        <source>The room on the disk that stands below.</source>
        <translation>De schijfruimte die hieronder staat.</translation>
    </message>
    <message>
        <source>Remove it again, any time.</source>
        <translation>Je kunt het altijd weer verwijderen.</translation>
    </message>
    <message>
        <source>Remove this part?</source>
        <translation>Dit onderdeel verwijderen?</translation>
    </message>
    <message>
        <source>What it is needed for does not work until you install it again.</source>
        <translation>Waar het voor nodig is, werkt niet totdat je het weer installeert.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Verwijderen</translation>
    </message>
    <message>
        <source>Change what learning may spend?</source>
        <translation>Wijzigen wat leren mag kosten?</translation>
    </message>
    <message>
        <source>Learning stops before it would spend more. Your agents&apos; requests have no limit.</source>
        <translation>Het leren stopt voordat het meer zou uitgeven. Verzoeken van je agents hebben geen grens.</translation>
    </message>
    <message>
        <source>Change the limit</source>
        <translation>Grens wijzigen</translation>
    </message>
    <message>
        <source>At most what stands below, at the prices of your provider.</source>
        <translation>Hoogstens wat hieronder staat, tegen de prijzen van je aanbieder.</translation>
    </message>
    <message>
        <source>Set it to the former amount, any time.</source>
        <translation>Je kunt altijd het oude bedrag weer instellen.</translation>
    </message>
    <message>
        <source>Change who decides about skills?</source>
        <translation>Wijzigen wie over vaardigheden beslist?</translation>
    </message>
    <message>
        <source>Where you are not asked, only changes of skills you trust are taken over, and only those that were measured to help.</source>
        <translation>Waar je niets gevraagd wordt, worden alleen wijzigingen overgenomen van vaardigheden die je vertrouwt, en alleen als ze aantoonbaar helpen.</translation>
    </message>
    <message>
        <source>Change who decides</source>
        <translation>Wijzigen wie beslist</translation>
    </message>
    <message>
        <source>Set it back any time; each change stands in the history of its skill.</source>
        <translation>Je kunt het altijd terugzetten; elke wijziging staat in de geschiedenis van haar vaardigheid.</translation>
    </message>
    <message>
        <source>Delete older conversations?</source>
        <translation>Oudere gesprekken wissen?</translation>
    </message>
    <message>
        <source>What is older than the new limit is deleted now, and later ones as they get old.</source>
        <translation>Wat ouder is dan de nieuwe grens wordt nu gewist, en latere zodra ze zo oud zijn.</translation>
    </message>
    <message>
        <source>Change and delete</source>
        <translation>Wijzigen en wissen</translation>
    </message>
    <message>
        <source>What is deleted cannot be brought back.</source>
        <translation>Wat gewist is, komt niet terug.</translation>
    </message>
    <message>
        <source>Let it learn from your conversations?</source>
        <translation>Laten leren van je gesprekken?</translation>
    </message>
    <message>
        <source>The model for learning reads what went wrong and writes skills from it.</source>
        <translation>Het leermodel leest wat misging en schrijft daar vaardigheden van.</translation>
    </message>
    <message>
        <source>Let it learn</source>
        <translation>Laten leren</translation>
    </message>
    <message>
        <source>Exchanges, with secrets blacked out, unless that model runs here.</source>
        <translation>Uitwisselingen, met geheimen weggelakt, tenzij dat model hier draait.</translation>
    </message>
    <message>
        <source>What the provider asks for its answers, up to your limits under Budget.</source>
        <translation>Wat de aanbieder voor zijn antwoorden vraagt, tot je grenzen onder Budget.</translation>
    </message>
    <message>
        <source>Choose another one, or none, any time.</source>
        <translation>Je kunt altijd een ander kiezen, of geen.</translation>
    </message>
    <message>
        <source>Send a key to another address?</source>
        <translation>Een sleutel naar een ander adres sturen?</translation>
    </message>
    <message>
        <source>Requests go to the address below, with the key that is kept for this provider.</source>
        <translation>Verzoeken gaan naar het adres hieronder, met de sleutel die voor deze aanbieder bewaard wordt.</translation>
    </message>
    <message>
        <source>Send it there</source>
        <translation>Daarheen sturen</translation>
    </message>
    <message>
        <source>The key, and all that your agents send to this provider.</source>
        <translation>De sleutel, en alles wat je agents naar deze aanbieder sturen.</translation>
    </message>
    <message>
        <source>Change the prices of {provider}?</source>
        <translation>De prijzen van {provider} wijzigen?</translation>
    </message>
    <message>
        <source>What requests cost is counted by these prices from now on.</source>
        <translation>Wat verzoeken kosten, wordt voortaan met deze prijzen berekend.</translation>
    </message>
    <message>
        <source>Change the prices</source>
        <translation>Prijzen wijzigen</translation>
    </message>
    <message>
        <source>Lower prices let learning ask more before it reaches your limit.</source>
        <translation>Met lagere prijzen kan het leren meer vragen voordat het je grens bereikt.</translation>
    </message>
    <message>
        <source>Set the former prices again, any time.</source>
        <translation>Je kunt altijd de oude prijzen weer instellen.</translation>
    </message>
    <message>
        <source>Use what was edited by hand?</source>
        <translation>Gebruiken wat met de hand bewerkt is?</translation>
    </message>
    <message>
        <source>The file with the settings was edited outside this window. It changes what may be spent or who decides, so it counts only with your yes.</source>
        <translation>Het instellingenbestand is buiten dit venster bewerkt. Het verandert wat er uitgegeven mag worden of wie beslist, dus geldt het alleen als jij ja zegt.</translation>
    </message>
    <message>
        <source>Use the edited settings</source>
        <translation>Bewerkte instellingen gebruiken</translation>
    </message>
    <message>
        <source>Read below what would change.</source>
        <translation>Lees hieronder wat er zou veranderen.</translation>
    </message>
    <message>
        <source>Change the settings in this window, any time.</source>
        <translation>Je kunt de instellingen altijd in dit venster wijzigen.</translation>
    </message>
    <message>
        <source>Its text goes to the model with those requests.</source>
        <translation>Haar tekst gaat met die verzoeken naar het model.</translation>
    </message>
    <message>
        <source>Any time, under “History” of the skill.</source>
        <translation>Altijd, onder “Geschiedenis” van de vaardigheid.</translation>
    </message>
</context>
<context>
    <name>AllowedStep</name>
    <message>
        <source>Use skills that I approved</source>
        <translation>Vaardigheden gebruiken die ik heb goedgekeurd</translation>
    </message>
    <message>
        <source>Only watch for now</source>
        <translation>Voorlopig alleen meekijken</translation>
    </message>
    <message>
        <source>What fits is put in front of the model. Nothing is ever used that you did not read.</source>
        <translation>Wat past, krijgt het model vooraf te lezen. Er wordt nooit iets gebruikt dat jij niet gelezen hebt.</translation>
    </message>
    <message>
        <source>Requests stay as they are. It learns, and proposes; you switch skills on later.</source>
        <translation>Verzoeken blijven zoals ze zijn. De app leert en stelt voor; vaardigheden zet je later aan.</translation>
    </message>
    <message>
        <source>Skills</source>
        <translation>Vaardigheden</translation>
    </message>
    <message>
        <source>What learning may cost, at most. What agents cost is between them and the provider.</source>
        <translation>Wat leren hoogstens mag kosten. Wat agents kosten, is tussen hen en de aanbieder.</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>Budget</translation>
    </message>
    <message>
        <source>What it may do</source>
        <translation>Wat hij mag</translation>
    </message>
    <message>
        <source>You decide about every new skill. This can be changed at any time.</source>
        <translation>Jij beslist over elke nieuwe vaardigheid. Je kunt dit altijd wijzigen.</translation>
    </message>
</context>
<context>
    <name>BoxedChart</name>
    <message>
        <source>As a table</source>
        <translation>Als tabel</translation>
    </message>
    <message>
        <source>As a chart</source>
        <translation>Als grafiek</translation>
    </message>
</context>
<context>
    <name>BringSheet</name>
    <message>
        <source>Skills that were found</source>
        <translation>Gevonden vaardigheden</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Bezig met zoeken…</translation>
    </message>
    <message>
        <source>Import skills</source>
        <translation>Vaardigheden importeren</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuleren</translation>
    </message>
    <message>
        <source>Found in {folder}. Nothing there is run; programs beside a skill are left out.</source>
        <translation>Gevonden in {folder}. Er wordt niets van uitgevoerd; programma’s naast een vaardigheid blijven weg.</translation>
    </message>
    <message>
        <source>A skill is a folder with a file SKILL.md in it.</source>
        <translation>Een vaardigheid is een map met een bestand SKILL.md erin.</translation>
    </message>
    <message>
        <source>No skill lies there</source>
        <translation>Daar staat geen vaardigheid</translation>
    </message>
    <message>
        <source>Left aside: {what}</source>
        <translation>Overgeslagen: {what}</translation>
    </message>
    <message>
        <source>is there already</source>
        <translation>is er al</translation>
    </message>
    <message>
        <source>differs from yours: becomes a proposal</source>
        <translation>wijkt af van die van jou: wordt een voorstel</translation>
    </message>
    <message numerus="yes">
        <source>Import %n skill(s)…</source>
        <translation>
            <numerusform>%n vaardigheid importeren…</numerusform>
            <numerusform>%n vaardigheden importeren…</numerusform>
        </translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importeren</translation>
    </message>
</context>
<context>
    <name>CalendarLine</name>
    <message>
        <source>Read now</source>
        <translation>Nu lezen</translation>
    </message>
    <message>
        <source>Read {name} now</source>
        <translation>{name} nu lezen</translation>
    </message>
    <message>
        <source>Disconnect</source>
        <translation>Verbinding verbreken</translation>
    </message>
    <message>
        <source>Disconnect {name}</source>
        <translation>Verbinding met {name} verbreken</translation>
    </message>
    <message>
        <source>Fresh</source>
        <translation>Actueel</translation>
    </message>
    <message>
        <source>A while ago</source>
        <translation>Even geleden</translation>
    </message>
    <message>
        <source>Too old to count</source>
        <translation>Te oud om mee te tellen</translation>
    </message>
    <message>
        <source>Sign in again</source>
        <translation>Opnieuw aanmelden</translation>
    </message>
    <message>
        <source>Cannot be read</source>
        <translation>Kan niet gelezen worden</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) in these weeks</source>
        <translation>
            <numerusform>%n afspraak in deze weken</numerusform>
            <numerusform>%n afspraken in deze weken</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>training may run in %n of them</source>
        <translation>
            <numerusform>in %n ervan mag getraind worden</numerusform>
            <numerusform>in %n ervan mag getraind worden</numerusform>
        </translation>
    </message>
    <message>
        <source>busy times only</source>
        <translation>alleen bezette tijden</translation>
    </message>
    <message numerus="yes">
        <source>%n could not be read</source>
        <translation>
            <numerusform>%n kon niet gelezen worden</numerusform>
            <numerusform>%n konden niet gelezen worden</numerusform>
        </translation>
    </message>
    <message>
        <source>read {when}</source>
        <translation>gelezen: {when}</translation>
    </message>
</context>
<context>
    <name>CalendarsSection</name>
    <message>
        <source>Add by address or file…</source>
        <translation>Adres of bestand…</translation>
    </message>
    <message>
        <source>Add a Google account…</source>
        <translation>Google-account…</translation>
    </message>
    <message>
        <source>While you are in a meeting, a model of yours may be trained. What your calendars say stays on this machine.</source>
        <translation>Tijdens een afspraak mag een eigen model getraind worden. Wat in je agenda’s staat, blijft op deze computer.</translation>
    </message>
    <message>
        <source>Calendars</source>
        <translation>Agenda’s</translation>
    </message>
    <message>
        <source>None yet.</source>
        <translation>Nog geen.</translation>
    </message>
    <message>
        <source>What it said, and its address or permission, are forgotten here. Nothing changes in the calendar itself.</source>
        <translation>Wat ze zei, en haar adres of toestemming, worden hier vergeten. In de agenda zelf verandert niets.</translation>
    </message>
    <message>
        <source>Disconnect {name}?</source>
        <translation>Verbinding met {name} verbreken?</translation>
    </message>
    <message>
        <source>Disconnect</source>
        <translation>Verbinding verbreken</translation>
    </message>
</context>
<context>
    <name>Carried</name>
    <message>
        <source>Skills in front of this answer</source>
        <translation>Vaardigheden bij dit antwoord</translation>
    </message>
    <message>
        <source>No skill stood in front</source>
        <translation>Er was geen vaardigheid bij</translation>
    </message>
    <message>
        <source>{skill} fitted, but a trial kept it away to compare.</source>
        <translation>{skill} paste, maar een proef hield haar weg om te vergelijken.</translation>
    </message>
    <message>
        <source>Why these, and why not others</source>
        <translation>Waarom deze, en andere niet</translation>
    </message>
    <message>
        <source>Why none</source>
        <translation>Waarom geen</translation>
    </message>
    <message>
        <source>{skill} (from before)</source>
        <translation>{skill} (van eerder)</translation>
    </message>
    <message>
        <source>Version {number}.</source>
        <translation>Versie {number}.</translation>
    </message>
    <message>
        <source>It was put in front with this request.</source>
        <translation>Ze werd bij dit verzoek meegegeven.</translation>
    </message>
    <message>
        <source>It was put in front earlier in this conversation, and stands there still.</source>
        <translation>Ze werd eerder in dit gesprek meegegeven en staat er nog.</translation>
    </message>
    <message>
        <source>It is not in use any more.</source>
        <translation>Ze wordt niet meer gebruikt.</translation>
    </message>
    <message>
        <source>One moment…</source>
        <translation>Een ogenblik…</translation>
    </message>
    <message>
        <source>No skill shares a word with what you asked.</source>
        <translation>Geen vaardigheid heeft een woord gemeen met wat je vroeg.</translation>
    </message>
    <message>
        <source>Fitted</source>
        <translation>Paste</translation>
    </message>
    <message>
        <source>Not put in front</source>
        <translation>Niet meegegeven</translation>
    </message>
</context>
<context>
    <name>ChangesTab</name>
    <message>
        <source>Version</source>
        <translation>Versie</translation>
    </message>
    <message>
        <source>In one</source>
        <translation>In één</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>Naast elkaar</translation>
    </message>
    <message>
        <source>Version {now}, from {before}</source>
        <translation>Versie {now}, na {before}</translation>
    </message>
    <message>
        <source>Version {now}</source>
        <translation>Versie {now}</translation>
    </message>
    <message>
        <source>All of it is new.</source>
        <translation>Alles is nieuw.</translation>
    </message>
    <message>
        <source>All of it would go.</source>
        <translation>Alles zou verdwijnen.</translation>
    </message>
    <message>
        <source>{more} lines come (+), {less} lines go (−).</source>
        <translation>{more} regels erbij (+), {less} regels weg (−).</translation>
    </message>
</context>
<context>
    <name>ConnectLines</name>
    <message>
        <source>Kind of agent</source>
        <translation>Soort agent</translation>
    </message>
    <message>
        <source>Lines for</source>
        <translation>Regels voor</translation>
    </message>
    <message>
        <source>Put the name of your model in the place of {name}.</source>
        <translation>Zet de naam van je model op de plaats van {name}.</translation>
    </message>
    <message>
        <source>And back: {how}</source>
        <translation>En terug: {how}</translation>
    </message>
    <message>
        <source>Tried with {facts}.</source>
        <translation>Getest met {facts}.</translation>
    </message>
</context>
<context>
    <name>ConsentSheet</name>
    <message>
        <source>Cancel</source>
        <translation>Annuleren</translation>
    </message>
    <message>
        <source>What you agree to, in full: {text}</source>
        <translation>Waar je mee instemt, volledig: {text}</translation>
    </message>
    <message>
        <source>What you agree to, in full</source>
        <translation>Waar je mee instemt, volledig</translation>
    </message>
    <message>
        <source>What happens</source>
        <translation>Wat er gebeurt</translation>
    </message>
    <message>
        <source>What leaves this machine</source>
        <translation>Wat deze computer verlaat</translation>
    </message>
    <message>
        <source>What it costs</source>
        <translation>Wat het kost</translation>
    </message>
    <message>
        <source>The way back</source>
        <translation>De weg terug</translation>
    </message>
</context>
<context>
    <name>Conversations</name>
    <message>
        <source>Forgotten: {count} requests with their answers.</source>
        <translation>Vergeten: {count} verzoeken met hun antwoorden.</translation>
    </message>
    <message>
        <source>Without words</source>
        <translation>Zonder woorden</translation>
    </message>
    <message>
        <source>Under way</source>
        <translation>Bezig</translation>
    </message>
    <message>
        <source>Answered</source>
        <translation>Beantwoord</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Mislukt</translation>
    </message>
    <message>
        <source>Cut off</source>
        <translation>Afgebroken</translation>
    </message>
    <message>
        <source>Stopped by the agent</source>
        <translation>Gestopt door de agent</translation>
    </message>
    <message>
        <source>End not recorded</source>
        <translation>Einde niet vastgelegd</translation>
    </message>
    <message>
        <source>The judge could not tell how it went.</source>
        <translation>De beoordelaar kon niet zeggen hoe het ging.</translation>
    </message>
    <message>
        <source>The judge found that it went well.</source>
        <translation>De beoordelaar vond dat het goed ging.</translation>
    </message>
    <message>
        <source>The judge found it neither good nor bad.</source>
        <translation>De beoordelaar vond het goed noch slecht.</translation>
    </message>
    <message>
        <source>The judge found that it went wrong.</source>
        <translation>De beoordelaar vond dat het misging.</translation>
    </message>
    <message>
        <source>The surroundings were to blame, so nothing is learnt from it.</source>
        <translation>Het lag aan de omstandigheden, dus wordt er niets van geleerd.</translation>
    </message>
    <message>
        <source>{agreed} of {all} times it was asked, it said so.</source>
        <translation>Van de {all} keer dat het gevraagd werd, was dit {agreed} keer het oordeel.</translation>
    </message>
    <message>
        <source>A skill was learnt from it</source>
        <translation>Er is een vaardigheid van geleerd</translation>
    </message>
    <message>
        <source>It trains your own model</source>
        <translation>Het traint je eigen model</translation>
    </message>
    <message>
        <source>Kept aside to measure on</source>
        <translation>Apart gehouden om mee te meten</translation>
    </message>
    <message>
        <source>Kept for learning for some days</source>
        <translation>Een paar dagen bewaard om van te leren</translation>
    </message>
    <message>
        <source>A trial kept a skill from it</source>
        <translation>Een proef hield er een vaardigheid weg</translation>
    </message>
    <message>
        <source>Not used: it would be learnt from twice</source>
        <translation>Niet gebruikt: er zou twee keer van geleerd worden</translation>
    </message>
    <message>
        <source>Not used: nobody said how it went</source>
        <translation>Niet gebruikt: niemand zei hoe het ging</translation>
    </message>
    <message>
        <source>May train your own model later</source>
        <translation>Kan later je eigen model trainen</translation>
    </message>
    <message>
        <source>The judge&apos;s verdict</source>
        <translation>Oordeel van de beoordelaar</translation>
    </message>
    <message>
        <source>You corrected it</source>
        <translation>Je verbeterde het</translation>
    </message>
    <message>
        <source>You asked again</source>
        <translation>Je vroeg het opnieuw</translation>
    </message>
    <message>
        <source>You were content</source>
        <translation>Je was tevreden</translation>
    </message>
    <message>
        <source>You gave a rule</source>
        <translation>Je gaf een regel</translation>
    </message>
    <message>
        <source>Your thumb</source>
        <translation>Je duim</translation>
    </message>
    <message>
        <source>A tool failed</source>
        <translation>Een hulpmiddel faalde</translation>
    </message>
    <message>
        <source>A tool failed, then worked</source>
        <translation>Een hulpmiddel faalde, daarna werkte het</translation>
    </message>
    <message>
        <source>The surroundings failed</source>
        <translation>De omstandigheden zaten tegen</translation>
    </message>
    <message>
        <source>The answer was cut off</source>
        <translation>Het antwoord werd afgebroken</translation>
    </message>
    <message>
        <source>first word after {time}</source>
        <translation>eerste woord na {time}</translation>
    </message>
    <message>
        <source>{read} tokens read, {written} written</source>
        <translation>{read} tokens gelezen, {written} geschreven</translation>
    </message>
    <message>
        <source>about {read} tokens read, {written} written</source>
        <translation>ongeveer {read} tokens gelezen, {written} geschreven</translation>
    </message>
    <message>
        <source>{share} % searchable: the rest is being made ready</source>
        <translation>{share} % doorzoekbaar: de rest wordt klaargemaakt</translation>
    </message>
    <message numerus="yes">
        <source>%n found</source>
        <translation>
            <numerusform>%n gevonden</numerusform>
            <numerusform>%n gevonden</numerusform>
        </translation>
    </message>
    <message>
        <source>{found}, looking further back…</source>
        <translation>{found}, zoekt verder terug…</translation>
    </message>
    <message>
        <source>{found}, and more further down</source>
        <translation>{found}, en meer verderop</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Vandaag</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Gisteren</translation>
    </message>
    <message numerus="yes">
        <source>%n skill(s)</source>
        <translation>
            <numerusform>%n vaardigheid</numerusform>
            <numerusform>%n vaardigheden</numerusform>
        </translation>
    </message>
    <message>
        <source>Good</source>
        <translation>Goed</translation>
    </message>
    <message>
        <source>Neither good nor bad</source>
        <translation>Goed noch slecht</translation>
    </message>
    <message>
        <source>Went wrong</source>
        <translation>Ging mis</translation>
    </message>
    <message>
        <source>You said: right</source>
        <translation>Jij zei: goed</translation>
    </message>
    <message>
        <source>You said: wrong</source>
        <translation>Jij zei: fout</translation>
    </message>
</context>
<context>
    <name>ConversationsPage</name>
    <message>
        <source>Conversations</source>
        <translation>Gesprekken</translation>
    </message>
    <message>
        <source>What you asked, what came back, which skills helped, and what it was worth.</source>
        <translation>Wat je vroeg, wat er terugkwam, welke vaardigheden hielpen en wat het waard was.</translation>
    </message>
    <message>
        <source>Nothing was said yet</source>
        <translation>Er is nog niets gezegd</translation>
    </message>
    <message>
        <source>When an agent asks through this app, each request and its answer can be read and searched here. They stay on this machine.</source>
        <translation>Als een agent via deze app iets vraagt, kun je elk verzoek met zijn antwoord hier lezen en doorzoeken. Ze blijven op deze computer.</translation>
    </message>
    <message>
        <source>Noted: that was right.</source>
        <translation>Genoteerd: dat was goed.</translation>
    </message>
    <message>
        <source>Noted: that was wrong.</source>
        <translation>Genoteerd: dat was fout.</translation>
    </message>
    <message>
        <source>Your thumb is taken back.</source>
        <translation>Je duim is ingetrokken.</translation>
    </message>
</context>
<context>
    <name>CopyButton</name>
    <message>
        <source>Copy {what}</source>
        <translation>{what} kopiëren</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Gekopieerd</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopiëren</translation>
    </message>
</context>
<context>
    <name>Course</name>
    <message numerus="yes">
        <source>%n message(s) were said before in this conversation.</source>
        <translation>
            <numerusform>Hiervoor is in dit gesprek al %n bericht gewisseld.</numerusform>
            <numerusform>Hiervoor zijn in dit gesprek al %n berichten gewisseld.</numerusform>
        </translation>
    </message>
    <message>
        <source>You asked</source>
        <translation>Jij vroeg</translation>
    </message>
    <message>
        <source>The agent asked for itself</source>
        <translation>De agent vroeg voor zichzelf</translation>
    </message>
    <message>
        <source>(nothing in words)</source>
        <translation>(niets in woorden)</translation>
    </message>
    <message numerus="yes">
        <source>%n earlier answer(s) are left out here.</source>
        <translation>
            <numerusform>%n eerder antwoord is hier weggelaten.</numerusform>
            <numerusform>%n eerdere antwoorden zijn hier weggelaten.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n earlier answer(s)</source>
        <translation>
            <numerusform>%n eerder antwoord</numerusform>
            <numerusform>%n eerdere antwoorden</numerusform>
        </translation>
    </message>
    <message>
        <source>You said to that</source>
        <translation>Jij zei daarop</translation>
    </message>
    <message>
        <source>not gone on from</source>
        <translation>niet op verdergegaan</translation>
    </message>
    <message>
        <source>{agent} answered</source>
        <translation>{agent} antwoordde</translation>
    </message>
    <message>
        <source>a tool</source>
        <translation>een hulpmiddel</translation>
    </message>
    <message>
        <source>Called {tool} {arguments}</source>
        <translation>Riep {tool} {arguments} aan</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>mislukt</translation>
    </message>
    <message>
        <source>Called with</source>
        <translation>Aangeroepen met</translation>
    </message>
    <message>
        <source>Gave back</source>
        <translation>Gaf terug</translation>
    </message>
    <message>
        <source>What it gave back is not known.</source>
        <translation>Wat het teruggaf, is niet bekend.</translation>
    </message>
</context>
<context>
    <name>Curves</name>
    <message>
        <source>Step</source>
        <translation>Stap</translation>
    </message>
    <message>
        <source>How good its answers were</source>
        <translation>Hoe goed de antwoorden waren</translation>
    </message>
    <message>
        <source>Step {step}: {value}, most between {low} and {high}</source>
        <translation>Stap {step}: {value}, meestal tussen {low} en {high}</translation>
    </message>
    <message>
        <source>Mean reward</source>
        <translation>Gemiddelde beloning</translation>
    </message>
    <message>
        <source>Lower edge</source>
        <translation>Ondergrens</translation>
    </message>
    <message>
        <source>Upper edge</source>
        <translation>Bovengrens</translation>
    </message>
    <message>
        <source>How far it drifted</source>
        <translation>Hoe ver het afweek</translation>
    </message>
    <message>
        <source>Step {step}: {value}</source>
        <translation>Stap {step}: {value}</translation>
    </message>
    <message>
        <source>Distance (KL, nats a token)</source>
        <translation>Afstand (KL, nats per token)</translation>
    </message>
    <message>
        <source>What it spent</source>
        <translation>Wat het kostte</translation>
    </message>
    <message>
        <source>Reward: 1 is best. The band holds most answers of a step.</source>
        <translation>Beloning: 1 is het beste. De meeste antwoorden van een stap vallen in de band.</translation>
    </message>
    <message>
        <source>From the base model. One that drifts too far forgets what it could, so it stops there.</source>
        <translation>Vanaf het basismodel. Wie te ver afwijkt, vergeet wat hij kon; daarom stopt het daar.</translation>
    </message>
    <message>
        <source>In USD, by steps.</source>
        <translation>In USD, per stap.</translation>
    </message>
    <message>
        <source>It has made no step yet, so there is nothing to draw.</source>
        <translation>Er is nog geen stap gezet, dus er valt niets te tekenen.</translation>
    </message>
    <message>
        <source>stops here</source>
        <translation>stopt hier</translation>
    </message>
    <message>
        <source>{usd} in all.</source>
        <translation>{usd} in totaal.</translation>
    </message>
    <message>
        <source>Step {steps}: {usd}</source>
        <translation>Stap {steps}: {usd}</translation>
    </message>
    <message>
        <source>From {first} at step {begin} to {last} at step {end}; highest {top} at step {at}.</source>
        <translation>Van {first} bij stap {begin} naar {last} bij stap {end}; hoogste waarde {top} bij stap {at}.</translation>
    </message>
</context>
<context>
    <name>DataSection</name>
    <message>
        <source>What to forget</source>
        <translation>Wat er vergeten moet worden</translation>
    </message>
    <message>
        <source>Look and forget…</source>
        <translation>Bekijken en vergeten…</translation>
    </message>
    <message>
        <source>Conversations are taken out of the record for good. You see first how many. What was learnt from them stays until you retire it.</source>
        <translation>Gesprekken worden voorgoed gewist. Je ziet eerst hoeveel. Wat ervan geleerd is, blijft tot je het archiveert.</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergeten</translation>
    </message>
    <message>
        <source>Where everything lies</source>
        <translation>Waar alles staat</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Instellingen</translation>
    </message>
    <message>
        <source>Conversations and what was learnt</source>
        <translation>Gesprekken en wat er geleerd is</translation>
    </message>
    <message>
        <source>Skills, as files to read</source>
        <translation>Vaardigheden, als leesbare bestanden</translation>
    </message>
    <message>
        <source>Keys and tokens</source>
        <translation>Sleutels en tokens</translation>
    </message>
    <message>
        <source>Logs, without any words of conversations</source>
        <translation>Logboeken, zonder één woord uit gesprekken</translation>
    </message>
    <message>
        <source>Models that were downloaded</source>
        <translation>Gedownloade modellen</translation>
    </message>
    <message>
        <source>In the system&apos;s keyring</source>
        <translation>In de sleutelbos van het systeem</translation>
    </message>
    <message>
        <source>In memory only, until the app ends</source>
        <translation>Alleen in het geheugen, tot de app stopt</translation>
    </message>
    <message numerus="yes">
        <source>What is older than %n day(s)</source>
        <translation>
            <numerusform>Wat ouder is dan %n dag</numerusform>
            <numerusform>Wat ouder is dan %n dagen</numerusform>
        </translation>
    </message>
    <message>
        <source>All of {agent}</source>
        <translation>Alles van {agent}</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>There is nothing of that.</source>
        <translation>Daar is niets van.</translation>
    </message>
    <message numerus="yes">
        <source>%n exchange(s) would be gone for good.</source>
        <translation>
            <numerusform>%n uitwisseling zou voorgoed weg zijn.</numerusform>
            <numerusform>%n uitwisselingen zouden voorgoed weg zijn.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposal(s) that rest on them would be withdrawn.</source>
        <translation>
            <numerusform>%n voorstel dat erop rust, zou worden ingetrokken.</numerusform>
            <numerusform>%n voorstellen die erop rusten, zouden worden ingetrokken.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n skill(s) learnt from them stay.</source>
        <translation>
            <numerusform>%n vaardigheid die ervan geleerd is, blijft.</numerusform>
            <numerusform>%n vaardigheden die ervan geleerd zijn, blijven.</numerusform>
        </translation>
    </message>
    <message>
        <source>Forget these conversations?</source>
        <translation>Deze gesprekken vergeten?</translation>
    </message>
    <message numerus="yes">
        <source>Gone: %n exchange(s).</source>
        <translation>
            <numerusform>Weg: %n uitwisseling.</numerusform>
            <numerusform>Weg: %n uitwisselingen.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Detail</name>
    <message>
        <source>All conversations</source>
        <translation>Alle gesprekken</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>Goed</translation>
    </message>
    <message>
        <source>Wrong…</source>
        <translation>Fout…</translation>
    </message>
    <message>
        <source>Raw…</source>
        <translation>Origineel…</translation>
    </message>
    <message>
        <source>The last request and its answer, letter by letter</source>
        <translation>Het laatste verzoek en zijn antwoord, letter voor letter</translation>
    </message>
    <message>
        <source>Forget…</source>
        <translation>Vergeten…</translation>
    </message>
    <message>
        <source>The exchange</source>
        <translation>De uitwisseling</translation>
    </message>
    <message>
        <source>One moment…</source>
        <translation>Een ogenblik…</translation>
    </message>
    <message>
        <source>Choose an exchange</source>
        <translation>Kies een uitwisseling</translation>
    </message>
    <message>
        <source>Here you read what was asked and answered, which skills helped, and what it was worth.</source>
        <translation>Hier lees je wat er gevraagd en geantwoord is, welke vaardigheden hielpen en wat het waard was.</translation>
    </message>
    <message>
        <source>Forgotten</source>
        <translation>Vergeten</translation>
    </message>
    <message>
        <source>Nothing of it is kept.</source>
        <translation>Er is niets van bewaard.</translation>
    </message>
    <message>
        <source>Models, times, tokens and costs</source>
        <translation>Modellen, tijden, tokens en kosten</translation>
    </message>
    <message numerus="yes">
        <source>%n answer(s)</source>
        <translation>
            <numerusform>%n antwoord</numerusform>
            <numerusform>%n antwoorden</numerusform>
        </translation>
    </message>
    <message>
        <source>cost not known</source>
        <translation>kosten onbekend</translation>
    </message>
    <message numerus="yes">
        <source>%n errand(s) of the agent&apos;s own beside it</source>
        <translation>
            <numerusform>%n eigen klusje van de agent ernaast</numerusform>
            <numerusform>%n eigen klusjes van de agent ernaast</numerusform>
        </translation>
    </message>
    <message>
        <source>Answer {number}: {facts}</source>
        <translation>Antwoord {number}: {facts}</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Opnieuw proberen</translation>
    </message>
    <message>
        <source>Skill</source>
        <translation>Vaardigheid</translation>
    </message>
    <message>
        <source>Proof</source>
        <translation>Bewijs</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>Wijzigingen</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>Aanleiding</translation>
    </message>
    <message>
        <source>Effect</source>
        <translation>Effect</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Geschiedenis</translation>
    </message>
    <message>
        <source>Choose a skill at the left</source>
        <translation>Kies links een vaardigheid</translation>
    </message>
</context>
<context>
    <name>DiffView</name>
    <message>
        <source>What changed, line by line</source>
        <translation>Wat er veranderde, regel voor regel</translation>
    </message>
    <message>
        <source>These texts are too long to be compared here.</source>
        <translation>Deze teksten zijn te lang om hier te vergelijken.</translation>
    </message>
    <message>
        <source>Nothing differs.</source>
        <translation>Er is geen verschil.</translation>
    </message>
</context>
<context>
    <name>Editor</name>
    <message>
        <source>What the app says of the text</source>
        <translation>Wat de app van de tekst zegt</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuleren</translation>
    </message>
    <message>
        <source>Edit “{name}”</source>
        <translation>“{name}” bewerken</translation>
    </message>
    <message>
        <source>A new skill</source>
        <translation>Een nieuwe vaardigheid</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Tekst</translation>
    </message>
    <message>
        <source>As it will read</source>
        <translation>Zoals het er straks staat</translation>
    </message>
    <message>
        <source>What you change</source>
        <translation>Wat je wijzigt</translation>
    </message>
    <message numerus="yes">
        <source>about %n token(s)</source>
        <translation>
            <numerusform>ongeveer %n token</numerusform>
            <numerusform>ongeveer %n tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>See what changes</source>
        <translation>Bekijken wat er verandert</translation>
    </message>
    <message>
        <source>See it</source>
        <translation>Bekijken</translation>
    </message>
    <message>
        <source>Approve this text</source>
        <translation>Deze tekst goedkeuren</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Opslaan</translation>
    </message>
    <message>
        <source>“{name}” is approved in your words.</source>
        <translation>“{name}” is in jouw woorden goedgekeurd.</translation>
    </message>
    <message>
        <source>“{name}” is saved.</source>
        <translation>“{name}” is opgeslagen.</translation>
    </message>
</context>
<context>
    <name>EffectTab</name>
    <message>
        <source>It has not been put in front of a request yet. That happens when one fits it.</source>
        <translation>Ze is nog niet bij een verzoek meegegeven. Dat gebeurt zodra er een past.</translation>
    </message>
    <message>
        <source>Not used yet</source>
        <translation>Nog niet gebruikt</translation>
    </message>
    <message numerus="yes">
        <source>It fitted %n conversation(s) so far.</source>
        <translation>
            <numerusform>Ze paste tot nu toe bij %n gesprek.</numerusform>
            <numerusform>Ze paste tot nu toe bij %n gesprekken.</numerusform>
        </translation>
    </message>
    <message>
        <source>With it</source>
        <translation>Met</translation>
    </message>
    <message>
        <source>None of them was judged yet.</source>
        <translation>Geen ervan is al beoordeeld.</translation>
    </message>
    <message>
        <source>{count} of {of} went well</source>
        <translation>{count} van de {of} gingen goed</translation>
    </message>
    <message>
        <source>{count} of {of} went badly</source>
        <translation>{count} van de {of} gingen slecht</translation>
    </message>
    <message>
        <source>about {mean} tokens each (likely {low} to {high})</source>
        <translation>elk ongeveer {mean} tokens (waarschijnlijk {low} tot {high})</translation>
    </message>
    <message>
        <source>about {mean} seconds to answer (likely {low} to {high})</source>
        <translation>ongeveer {mean} seconden per antwoord (waarschijnlijk {low} tot {high})</translation>
    </message>
    <message>
        <source>too few to tell yet</source>
        <translation>nog te weinig om iets te zeggen</translation>
    </message>
    <message>
        <source>in the long run likely {low} to {high}</source>
        <translation>op den duur waarschijnlijk {low} tot {high}</translation>
    </message>
    <message numerus="yes">
        <source>%n exchange(s)</source>
        <translation>
            <numerusform>%n uitwisseling</numerusform>
            <numerusform>%n uitwisselingen</numerusform>
        </translation>
    </message>
    <message>
        <source>version {number}</source>
        <translation>versie {number}</translation>
    </message>
    <message>
        <source>It helps.</source>
        <translation>Ze helpt.</translation>
    </message>
    <message>
        <source>It does harm.</source>
        <translation>Ze schaadt.</translation>
    </message>
    <message>
        <source>Too few to tell yet whether it helps.</source>
        <translation>Nog te weinig om te zeggen of ze helpt.</translation>
    </message>
    <message>
        <source>With {version}</source>
        <translation>Met {version}</translation>
    </message>
    <message>
        <source>Without it</source>
        <translation>Zonder</translation>
    </message>
    <message>
        <source>On trial now</source>
        <translation>Nu op proef</translation>
    </message>
    <message>
        <source>A trial that is over</source>
        <translation>Een afgelopen proef</translation>
    </message>
    <message>
        <source>{placed} of {wanted} conversations have had their turn; every other one has {before}.</source>
        <translation>{placed} van de {wanted} gesprekken zijn geweest; om het andere gesprek heeft {before}.</translation>
    </message>
    <message>
        <source>{placed} of {wanted} conversations have had their turn; every other one goes without it.</source>
        <translation>{placed} van de {wanted} gesprekken zijn geweest; om het andere gesprek gaat zonder haar.</translation>
    </message>
    <message>
        <source>How far the trial is</source>
        <translation>Hoe ver de proef is</translation>
    </message>
</context>
<context>
    <name>Entries</name>
    <message>
        <source>Open MetaClaw Tray</source>
        <translation>MetaClaw Tray openen</translation>
    </message>
    <message>
        <source>Quit…</source>
        <translation>Afsluiten…</translation>
    </message>
    <message>
        <source>One moment…</source>
        <translation>Een ogenblik…</translation>
    </message>
    <message numerus="yes">
        <source>%n thing(s) to look at…</source>
        <translation>
            <numerusform>%n punt om te bekijken…</numerusform>
            <numerusform>%n punten om te bekijken…</numerusform>
        </translation>
    </message>
    <message>
        <source>Choose a model…</source>
        <translation>Model kiezen…</translation>
    </message>
    <message numerus="yes">
        <source>Review %n new skill(s)</source>
        <translation>
            <numerusform>%n nieuwe vaardigheid bekijken</numerusform>
            <numerusform>%n nieuwe vaardigheden bekijken</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Review %n change(s)</source>
        <translation>
            <numerusform>%n wijziging bekijken</numerusform>
            <numerusform>%n wijzigingen bekijken</numerusform>
        </translation>
    </message>
    <message>
        <source>Approve…</source>
        <translation>Goedkeuren…</translation>
    </message>
    <message>
        <source>Reject…</source>
        <translation>Afwijzen…</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Tonen</translation>
    </message>
    <message>
        <source>Last answer was wrong… ({which})</source>
        <translation>Laatste antwoord was fout… ({which})</translation>
    </message>
    <message>
        <source>Last answer was right ({which})</source>
        <translation>Laatste antwoord was goed ({which})</translation>
    </message>
    <message>
        <source>Read the last answer</source>
        <translation>Laatste antwoord lezen</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Model</translation>
    </message>
    <message>
        <source>Skills off for “{conversation}”</source>
        <translation>Geen vaardigheden bij “{conversation}”</translation>
    </message>
    <message>
        <source>Observe only</source>
        <translation>Alleen meekijken</translation>
    </message>
    <message>
        <source>Learning rests until {time}</source>
        <translation>Leren rust tot {time}</translation>
    </message>
    <message>
        <source>Learning rests</source>
        <translation>Leren rust</translation>
    </message>
    <message>
        <source>Pause learning</source>
        <translation>Leren pauzeren</translation>
    </message>
    <message>
        <source>For 30 minutes</source>
        <translation>30 minuten</translation>
    </message>
    <message>
        <source>Until tomorrow</source>
        <translation>Tot morgen</translation>
    </message>
    <message>
        <source>On</source>
        <translation>Aan</translation>
    </message>
    <message>
        <source>No training is set up</source>
        <translation>Training is niet ingesteld</translation>
    </message>
    <message>
        <source>Training now</source>
        <translation>Traint nu</translation>
    </message>
    <message>
        <source>Training is paused</source>
        <translation>Training is gepauzeerd</translation>
    </message>
    <message>
        <source>Go on now</source>
        <translation>Nu verdergaan</translation>
    </message>
    <message>
        <source>Start now</source>
        <translation>Nu starten</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pauzeren</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
</context>
<context>
    <name>EvidenceTab</name>
    <message>
        <source>It came with the app, so no request of yours taught it.</source>
        <translation>Ze hoort bij de app; geen verzoek van jou leerde haar.</translation>
    </message>
    <message>
        <source>You brought it in from elsewhere: {where}</source>
        <translation>Je bracht haar van elders mee: {where}</translation>
    </message>
    <message>
        <source>You wrote it yourself, so no request taught it.</source>
        <translation>Je schreef haar zelf; geen verzoek leerde haar.</translation>
    </message>
    <message>
        <source>Nothing taught it</source>
        <translation>Van niets geleerd</translation>
    </message>
    <message>
        <source>No exchange is behind it.</source>
        <translation>Er zit geen uitwisseling achter.</translation>
    </message>
    <message>
        <source>Read it as you would a stranger&apos;s advice: what it says may not be what you want.</source>
        <translation>Lees het als raad van een vreemde: wat er staat, is misschien niet wat jij wilt.</translation>
    </message>
    <message>
        <source>Exchange {number}</source>
        <translation>Uitwisseling {number}</translation>
    </message>
    <message>
        <source>It was forgotten, as you asked; nothing of it is kept.</source>
        <translation>Ze is vergeten, zoals je vroeg; er is niets van bewaard.</translation>
    </message>
    <message>
        <source>You asked</source>
        <translation>Jij vroeg</translation>
    </message>
    <message>
        <source>The agent answered</source>
        <translation>De agent antwoordde</translation>
    </message>
    <message>
        <source>this went wrong</source>
        <translation>dit ging mis</translation>
    </message>
    <message>
        <source>A tool gave back</source>
        <translation>Een hulpmiddel gaf terug</translation>
    </message>
    <message numerus="yes">
        <source>%n earlier answer(s) of the agent are left out here.</source>
        <translation>
            <numerusform>%n eerder antwoord van de agent is hier weggelaten.</numerusform>
            <numerusform>%n eerdere antwoorden van de agent zijn hier weggelaten.</numerusform>
        </translation>
    </message>
    <message>
        <source>You said to that</source>
        <translation>Jij zei daarop</translation>
    </message>
    <message>
        <source>Read all of it</source>
        <translation>Alles lezen</translation>
    </message>
    <message>
        <source>What was made of it</source>
        <translation>Wat ervan gemaakt is</translation>
    </message>
</context>
<context>
    <name>ExchangeList</name>
    <message>
        <source>Conversations</source>
        <translation>Gesprekken</translation>
    </message>
</context>
<context>
    <name>Figures</name>
    <message numerus="yes">
        <source>with %n agent(s)</source>
        <translation>
            <numerusform>met %n agent</numerusform>
            <numerusform>met %n agents</numerusform>
        </translation>
    </message>
    <message>
        <source>exchanges</source>
        <translation>uitwisselingen</translation>
    </message>
    <message numerus="yes">
        <source>%n different skill(s)</source>
        <translation>
            <numerusform>%n verschillende vaardigheid</numerusform>
            <numerusform>%n verschillende vaardigheden</numerusform>
        </translation>
    </message>
    <message>
        <source>had a skill to go by</source>
        <translation>met een vaardigheid erbij</translation>
    </message>
    <message numerus="yes">
        <source>%n judged, {good} helped</source>
        <translation>
            <numerusform>%n beoordeeld, {good} hielpen</numerusform>
            <numerusform>%n beoordeeld, {good} hielpen</numerusform>
        </translation>
    </message>
    <message>
        <source>put right by you</source>
        <translation>door jou rechtgezet</translation>
    </message>
    <message>
        <source>of at most {limit}</source>
        <translation>van hoogstens {limit}</translation>
    </message>
    <message>
        <source>learning cost</source>
        <translation>kostte het leren</translation>
    </message>
</context>
<context>
    <name>Filters</name>
    <message>
        <source>How it went</source>
        <translation>Hoe het ging</translation>
    </message>
    <message>
        <source>However it went</source>
        <translation>Hoe het ook ging</translation>
    </message>
    <message>
        <source>Went well</source>
        <translation>Ging goed</translation>
    </message>
    <message>
        <source>Went wrong</source>
        <translation>Ging mis</translation>
    </message>
    <message>
        <source>Failed or cut off</source>
        <translation>Mislukt of afgebroken</translation>
    </message>
    <message>
        <source>Nobody said</source>
        <translation>Niemand zei iets</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Wanneer</translation>
    </message>
    <message>
        <source>At any time</source>
        <translation>Op elk moment</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Vandaag</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>Laatste 7 dagen</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>Laatste 30 dagen</translation>
    </message>
    <message>
        <source>Older than 7 days</source>
        <translation>Ouder dan 7 dagen</translation>
    </message>
    <message>
        <source>Older than 30 days</source>
        <translation>Ouder dan 30 dagen</translation>
    </message>
    <message>
        <source>Older than 90 days</source>
        <translation>Ouder dan 90 dagen</translation>
    </message>
    <message>
        <source>Which agent</source>
        <translation>Welke agent</translation>
    </message>
    <message>
        <source>All agents</source>
        <translation>Alle agents</translation>
    </message>
    <message>
        <source>Which model</source>
        <translation>Welk model</translation>
    </message>
    <message>
        <source>All models</source>
        <translation>Alle modellen</translation>
    </message>
    <message>
        <source>With skills</source>
        <translation>Met vaardigheden</translation>
    </message>
    <message>
        <source>Any skills</source>
        <translation>Alle vaardigheden</translation>
    </message>
    <message>
        <source>With a skill</source>
        <translation>Met een vaardigheid</translation>
    </message>
    <message>
        <source>Without skills</source>
        <translation>Zonder vaardigheden</translation>
    </message>
    <message>
        <source>Your thumb</source>
        <translation>Je duim</translation>
    </message>
    <message>
        <source>Any thumb</source>
        <translation>Elke duim</translation>
    </message>
    <message>
        <source>You said something</source>
        <translation>Jij zei iets</translation>
    </message>
    <message>
        <source>You said: right</source>
        <translation>Jij zei: goed</translation>
    </message>
    <message>
        <source>You said: wrong</source>
        <translation>Jij zei: fout</translation>
    </message>
    <message>
        <source>Whose requests</source>
        <translation>Wiens verzoeken</translation>
    </message>
    <message>
        <source>Your requests</source>
        <translation>Jouw verzoeken</translation>
    </message>
    <message>
        <source>The agent&apos;s own errands</source>
        <translation>Eigen klusjes van de agent</translation>
    </message>
    <message>
        <source>No filters</source>
        <translation>Geen filters</translation>
    </message>
</context>
<context>
    <name>FirstSteps</name>
    <message>
        <source>First steps</source>
        <translation>Eerste stappen</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Niet nu</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Terug</translation>
    </message>
    <message>
        <source>Everything here can be changed later, in Settings.</source>
        <translation>Alles hier kun je later wijzigen, bij Instellingen.</translation>
    </message>
    <message>
        <source>{title}, done</source>
        <translation>{title}, klaar</translation>
    </message>
    <message>
        <source>{title}, open now</source>
        <translation>{title}, nu open</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>Voltooien</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Volgende</translation>
    </message>
    <message>
        <source>Go on without</source>
        <translation>Zonder verdergaan</translation>
    </message>
</context>
<context>
    <name>ForgetSheet</name>
    <message>
        <source>Forget this exchange?</source>
        <translation>Deze uitwisseling vergeten?</translation>
    </message>
    <message>
        <source>Looking at what would go…</source>
        <translation>Bekijkt wat er weg zou gaan…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuleren</translation>
    </message>
    <message>
        <source>Forget it</source>
        <translation>Vergeten</translation>
    </message>
    <message>
        <source>Nothing of it has ended yet. Come back when it has.</source>
        <translation>Er is nog niets van afgelopen. Kom terug als dat zo is.</translation>
    </message>
    <message>
        <source>These go for good:</source>
        <translation>Dit gaat voorgoed weg:</translation>
    </message>
    <message numerus="yes">
        <source>%n request(s) with their answers, verdicts and thumbs</source>
        <translation>
            <numerusform>%n verzoek met zijn antwoorden, oordelen en duimen</numerusform>
            <numerusform>%n verzoeken met hun antwoorden, oordelen en duimen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) that nothing else needs</source>
        <translation>
            <numerusform>%n bericht dat nergens anders nodig is</numerusform>
            <numerusform>%n berichten die nergens anders nodig zijn</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposed skill(s) learnt from it, withdrawn</source>
        <translation>
            <numerusform>%n voorgestelde vaardigheid die ervan geleerd is, ingetrokken</numerusform>
            <numerusform>%n voorgestelde vaardigheden die ervan geleerd zijn, ingetrokken</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n copy(s) of the record made before updates</source>
        <translation>
            <numerusform>%n kopie van de gegevens, gemaakt voor een update</numerusform>
            <numerusform>%n kopieën van de gegevens, gemaakt voor updates</numerusform>
        </translation>
    </message>
    <message>
        <source>These stay:</source>
        <translation>Dit blijft:</translation>
    </message>
    <message>
        <source>A conversation that goes on sends its history again, and is recorded again.</source>
        <translation>Een gesprek dat doorgaat, stuurt zijn geschiedenis opnieuw en wordt dan weer vastgelegd.</translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) that later requests were made with</source>
        <translation>
            <numerusform>%n bericht waarmee latere verzoeken gedaan zijn</numerusform>
            <numerusform>%n berichten waarmee latere verzoeken gedaan zijn</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n request(s) that are still under way</source>
        <translation>
            <numerusform>%n verzoek dat nog bezig is</numerusform>
            <numerusform>%n verzoeken die nog bezig zijn</numerusform>
        </translation>
    </message>
    <message>
        <source>the skill {name}, which was learnt from it</source>
        <translation>de vaardigheid {name}, die ervan geleerd is</translation>
    </message>
    <message>
        <source>Forgetting…</source>
        <translation>Bezig met vergeten…</translation>
    </message>
</context>
<context>
    <name>GoogleDialog</name>
    <message>
        <source>Client file</source>
        <translation>Clientbestand</translation>
    </message>
    <message>
        <source>Read events with their titles too, not only busy times</source>
        <translation>Ook de titels van afspraken lezen, niet alleen bezette tijden</translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation>Bestand kiezen…</translation>
    </message>
    <message>
        <source>Google lets a program read a calendar only through a client that somebody has registered. You register your own, once; how is in the README under “Google Calendar”. A calendar&apos;s secret address is simpler and needs none of it.</source>
        <translation>Google laat een programma een agenda alleen lezen via een client die iemand heeft geregistreerd. Je registreert eenmalig je eigen; hoe, staat in de README onder “Google Calendar”. Het geheime adres van een agenda is eenvoudiger en heeft dit niet nodig.</translation>
    </message>
    <message>
        <source>Choose the client file first.</source>
        <translation>Kies eerst het clientbestand.</translation>
    </message>
    <message>
        <source>Your browser opens for the sign-in…</source>
        <translation>Je browser opent voor het aanmelden…</translation>
    </message>
    <message>
        <source>Which client file?</source>
        <translation>Welk clientbestand?</translation>
    </message>
</context>
<context>
    <name>Head</name>
    <message>
        <source>All skills</source>
        <translation>Alle vaardigheden</translation>
    </message>
    <message>
        <source>It takes the place of {names} too.</source>
        <translation>Ze komt ook in de plaats van {names}.</translation>
    </message>
    <message>
        <source>Not measured</source>
        <translation>Niet gemeten</translation>
    </message>
    <message>
        <source>On trial</source>
        <translation>Op proef</translation>
    </message>
    <message>
        <source>Version {number}</source>
        <translation>Versie {number}</translation>
    </message>
    <message>
        <source>Trusted</source>
        <translation>Vertrouwd</translation>
    </message>
    <message>
        <source>Better versions of it may take effect by themselves, where you allow that in the settings.</source>
        <translation>Betere versies ervan mogen vanzelf ingaan, waar je dat bij de instellingen toestaat.</translation>
    </message>
    <message>
        <source>Only for {agents}</source>
        <translation>Alleen voor {agents}</translation>
    </message>
    <message numerus="yes">
        <source>Used in %n exchange(s)</source>
        <translation>
            <numerusform>Gebruikt in %n uitwisseling</numerusform>
            <numerusform>Gebruikt in %n uitwisselingen</numerusform>
        </translation>
    </message>
    <message>
        <source>Not used yet</source>
        <translation>Nog niet gebruikt</translation>
    </message>
    <message>
        <source>Measured better</source>
        <translation>Beter gemeten</translation>
    </message>
    <message>
        <source>Promising</source>
        <translation>Veelbelovend</translation>
    </message>
    <message>
        <source>No difference seen</source>
        <translation>Geen verschil gezien</translation>
    </message>
    <message>
        <source>Measured worse</source>
        <translation>Slechter gemeten</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemeten</translation>
    </message>
</context>
<context>
    <name>HistoryTab</name>
    <message>
        <source>Nobody has decided anything on this skill yet.</source>
        <translation>Over deze vaardigheid heeft nog niemand iets beslist.</translation>
    </message>
    <message>
        <source>No history</source>
        <translation>Geen geschiedenis</translation>
    </message>
    <message>
        <source>Everything can be taken back; what that would do is shown first.</source>
        <translation>Alles kun je terugdraaien; wat dat zou doen, zie je eerst.</translation>
    </message>
</context>
<context>
    <name>IcsDialog</name>
    <message>
        <source>Secret address, or file</source>
        <translation>Geheim adres, of bestand</translation>
    </message>
    <message>
        <source>Your own address in its invitations</source>
        <translation>Je eigen adres in haar uitnodigingen</translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation>Bestand kiezen…</translation>
    </message>
    <message>
        <source>In Google Calendar: the calendar&apos;s settings, “Secret address in iCal format”. In Outlook: shared calendars, “Publish”. Others call it a private link. The address opens your calendar to whoever has it, so it is kept in the system&apos;s keyring.</source>
        <translation>In Google Agenda: de instellingen van de agenda, “Geheim adres in iCal-indeling”. In Outlook: gedeelde agenda’s, “Publiceren”. Andere noemen het een privélink. Wie het adres heeft, kan je agenda lezen; daarom staat het in de sleutelbos van het systeem.</translation>
    </message>
    <message>
        <source>So that invitations you declined do not count. It may stay empty.</source>
        <translation>Zodat afgewezen uitnodigingen niet meetellen. Dit mag leeg blijven.</translation>
    </message>
    <message>
        <source>Paste the address first, or choose a file.</source>
        <translation>Plak eerst het adres, of kies een bestand.</translation>
    </message>
    <message>
        <source>It is read once…</source>
        <translation>Ze wordt één keer gelezen…</translation>
    </message>
    <message>
        <source>Which calendar file?</source>
        <translation>Welk agendabestand?</translation>
    </message>
    <message>
        <source>Calendars (*.ics)</source>
        <translation>Agenda’s (*.ics)</translation>
    </message>
</context>
<context>
    <name>Listing</name>
    <message>
        <source>Search in what was said</source>
        <translation>Zoeken in wat er gezegd is</translation>
    </message>
    <message>
        <source>All words must be there, and parts of them are enough. “Quoted words” stand together.</source>
        <translation>Alle woorden moeten erin staan; een deel van een woord is genoeg. “Woorden tussen aanhalingstekens” staan bij elkaar.</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Niets gevonden</translation>
    </message>
    <message>
        <source>Nothing fits these words and choices.</source>
        <translation>Niets past bij deze woorden en keuzes.</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alles tonen</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Bezig met zoeken…</translation>
    </message>
    <message>
        <source>How much can be searched</source>
        <translation>Hoeveel er doorzoekbaar is</translation>
    </message>
    <message>
        <source>Fewer filters</source>
        <translation>Minder filters</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>Filters</translation>
    </message>
    <message>
        <source>Search skills</source>
        <translation>Vaardigheden zoeken</translation>
    </message>
    <message>
        <source>Which skills</source>
        <translation>Welke vaardigheden</translation>
    </message>
    <message>
        <source>Made by whom</source>
        <translation>Door wie gemaakt</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>By anyone</source>
        <translation>Door iedereen</translation>
    </message>
    <message>
        <source>Skills and proposals</source>
        <translation>Vaardigheden en voorstellen</translation>
    </message>
    <message>
        <source>No skill fits these words and choices.</source>
        <translation>Geen vaardigheid past bij deze woorden en keuzes.</translation>
    </message>
</context>
<context>
    <name>LoseSheet</name>
    <message>
        <source>Throw away what you wrote?</source>
        <translation>Weggooien wat je schreef?</translation>
    </message>
    <message>
        <source>Keep writing</source>
        <translation>Verder schrijven</translation>
    </message>
    <message>
        <source>Throw it away</source>
        <translation>Weggooien</translation>
    </message>
    <message>
        <source>Your text is not saved.</source>
        <translation>Je tekst is niet opgeslagen.</translation>
    </message>
</context>
<context>
    <name>ModelCard</name>
    <message>
        <source>{publisher} · {size} · licence {licence}</source>
        <translation>{publisher} · {size} · licentie {licence}</translation>
    </message>
    <message>
        <source>How far the download is</source>
        <translation>Hoe ver de download is</translation>
    </message>
    <message>
        <source>Download and use</source>
        <translation>Downloaden en gebruiken</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>Gebruiken</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>In gebruik</translation>
    </message>
    <message>
        <source>It runs on this machine: no key, no cost, nothing leaves. Small, so best for a try.</source>
        <translation>Het draait op deze computer: geen sleutel, geen kosten, niets gaat naar buiten. Klein, dus vooral om te proberen.</translation>
    </message>
    <message>
        <source>Beginning…</source>
        <translation>Begint…</translation>
    </message>
    <message>
        <source>Stopped. What has arrived is kept, and the rest is fetched the next time.</source>
        <translation>Gestopt. Wat binnen is, blijft bewaard; de rest wordt de volgende keer gehaald.</translation>
    </message>
</context>
<context>
    <name>ModelStep</name>
    <message>
        <source>Another provider…</source>
        <translation>Andere aanbieder…</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>Model kiezen</translation>
    </message>
    <message>
        <source>It answers your agents. Everything they ask is passed on to it unchanged.</source>
        <translation>Het antwoordt je agents. Alles wat ze vragen, wordt ongewijzigd doorgegeven.</translation>
    </message>
    <message>
        <source>No key was found in this app&apos;s environment, and no model server answers on this machine.</source>
        <translation>Er is geen sleutel gevonden in de omgeving van deze app, en op deze computer antwoordt geen modelserver.</translation>
    </message>
    <message>
        <source>the model that each agent asks for</source>
        <translation>het model waar elke agent om vraagt</translation>
    </message>
    <message>
        <source>Chosen</source>
        <translation>Gekozen</translation>
    </message>
    <message>
        <source>Use this</source>
        <translation>Dit gebruiken</translation>
    </message>
    <message>
        <source>Its key was found in {variable}. It is copied to where keys are kept.</source>
        <translation>De sleutel is gevonden in {variable}. Hij wordt gekopieerd naar waar sleutels bewaard worden.</translation>
    </message>
    <message>
        <source>It answers on this machine: {models}</source>
        <translation>Antwoordt op deze computer: {models}</translation>
    </message>
</context>
<context>
    <name>ModelsSection</name>
    <message>
        <source>A model on this machine</source>
        <translation>Een model op deze computer</translation>
    </message>
    <message>
        <source>Add a provider</source>
        <translation>Aanbieder toevoegen</translation>
    </message>
    <message>
        <source>Providers</source>
        <translation>Aanbieders</translation>
    </message>
    <message>
        <source>None yet. Agents cannot be served before there is one.</source>
        <translation>Nog geen. Zolang er geen is, krijgen agents geen antwoord.</translation>
    </message>
    <message>
        <source>Its address and its key are forgotten here. Nothing changes at the provider.</source>
        <translation>Adres en sleutel worden hier vergeten. Bij de aanbieder verandert niets.</translation>
    </message>
    <message>
        <source>Remove {name}?</source>
        <translation>{name} verwijderen?</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Verwijderen</translation>
    </message>
</context>
<context>
    <name>Moments</name>
    <message>
        <source>just now</source>
        <translation>zojuist</translation>
    </message>
    <message numerus="yes">
        <source>%n minute(s) ago</source>
        <translation>
            <numerusform>%n minuut geleden</numerusform>
            <numerusform>%n minuten geleden</numerusform>
        </translation>
    </message>
    <message>
        <source>today at {time}</source>
        <translation>vandaag om {time}</translation>
    </message>
</context>
<context>
    <name>NewSkill</name>
    <message>
        <source>dates-nobody-misreads</source>
        <translation>datums-die-niemand-verkeerd-leest</translation>
    </message>
    <message>
        <source>Use when dates or deadlines are written.</source>
        <translation>Gebruik dit als er datums of deadlines geschreven worden.</translation>
    </message>
    <message>
        <source>due date; time zone; calendar</source>
        <translation>einddatum; tijdzone; agenda</translation>
    </message>
    <message>
        <source>Write dates as 2026-03-09 …</source>
        <translation>Schrijf datums als 2026-03-09 …</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Naam</translation>
    </message>
    <message>
        <source>&amp;When it is used</source>
        <translation>&amp;Wanneer ze gebruikt wordt</translation>
    </message>
    <message>
        <source>&amp;Phrases it is found by</source>
        <translation>&amp;Zinnen waarmee ze gevonden wordt</translation>
    </message>
    <message>
        <source>What the agent should do</source>
        <translation>Wat de agent moet doen</translation>
    </message>
    <message>
        <source>What the agent should do then, in a few plain sentences:</source>
        <translation>Wat de agent dan moet doen, in een paar eenvoudige zinnen:</translation>
    </message>
</context>
<context>
    <name>Notice</name>
    <message>
        <source>What was done</source>
        <translation>Wat er gedaan is</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Ongedaan maken</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Sluiten</translation>
    </message>
</context>
<context>
    <name>Page</name>
    <message>
        <source>Try again</source>
        <translation>Opnieuw proberen</translation>
    </message>
    <message>
        <source>Take me there</source>
        <translation>Breng me erheen</translation>
    </message>
    <message>
        <source>One moment…</source>
        <translation>Een ogenblik…</translation>
    </message>
</context>
<context>
    <name>Pair</name>
    <message>
        <source>Without it</source>
        <translation>Zonder</translation>
    </message>
    <message>
        <source>(no answer)</source>
        <translation>(geen antwoord)</translation>
    </message>
    <message>
        <source>With it</source>
        <translation>Met</translation>
    </message>
    <message>
        <source>You asked</source>
        <translation>Jij vroeg</translation>
    </message>
    <message>
        <source>Compared by what you had said</source>
        <translation>Vergeleken met wat jij had gezegd</translation>
    </message>
</context>
<context>
    <name>Pane</name>
    <message>
        <source>Fewer settings</source>
        <translation>Minder instellingen</translation>
    </message>
    <message>
        <source>More settings</source>
        <translation>Meer instellingen</translation>
    </message>
</context>
<context>
    <name>PlainSkill</name>
    <message>
        <source>Text of the skill</source>
        <translation>Tekst van de vaardigheid</translation>
    </message>
</context>
<context>
    <name>PrivacySection</name>
    <message>
        <source>Nothing leaves this machine by itself.</source>
        <translation>Niets verlaat deze computer vanzelf.</translation>
    </message>
    <message>
        <source>All models that are asked now run here.</source>
        <translation>Alle modellen die nu gevraagd worden, draaien hier.</translation>
    </message>
    <message>
        <source>On this machine</source>
        <translation>Op deze computer</translation>
    </message>
    <message>
        <source>Stays here</source>
        <translation>Blijft hier</translation>
    </message>
    <message>
        <source>Leaves this machine</source>
        <translation>Verlaat deze computer</translation>
    </message>
    <message>
        <source>Only if you ask for it</source>
        <translation>Alleen als je erom vraagt</translation>
    </message>
    <message>
        <source>{name}: nothing now; no agent reaches it.</source>
        <translation>{name}: nu niets; geen agent bereikt deze aanbieder.</translation>
    </message>
    <message>
        <source>{name}: all requests of {agents}, word for word, with the skills that fit.</source>
        <translation>{name}: alle verzoeken van {agents}, woord voor woord, met de vaardigheden die passen.</translation>
    </message>
    <message>
        <source>{name}: the same of {agents}, in the place of another.</source>
        <translation>{name}: hetzelfde van {agents}, in de plaats van een ander.</translation>
    </message>
    <message>
        <source>{name}: parts of conversations to learn from, with passwords and keys blacked out, and drafts of skills.</source>
        <translation>{name}: delen van gesprekken om van te leren, met wachtwoorden en sleutels weggelakt, en concepten van vaardigheden.</translation>
    </message>
    <message>
        <source>A download of {model}. Nothing of yours is sent.</source>
        <translation>Een download van {model}. Er wordt niets van jou verstuurd.</translation>
    </message>
    <message>
        <source>Your calendar {name} is read there. Nothing else of yours is sent.</source>
        <translation>Je agenda {name} wordt daar gelezen. Verder wordt er niets van jou verstuurd.</translation>
    </message>
    <message>
        <source>The key that you gave opens it.</source>
        <translation>De sleutel die je gaf, geeft toegang.</translation>
    </message>
    <message>
        <source>Each agent&apos;s own key opens it.</source>
        <translation>De eigen sleutel van elke agent geeft toegang.</translation>
    </message>
    <message>
        <source>Only when the other one is away or overloaded.</source>
        <translation>Alleen als de andere weg of overbelast is.</translation>
    </message>
    <message>
        <source>When learning is due and your agents are quiet, within the budget.</source>
        <translation>Als het tijd is om te leren en je agents stil zijn, binnen het budget.</translation>
    </message>
    <message>
        <source>Not now: learning is off.</source>
        <translation>Nu niet: leren staat uit.</translation>
    </message>
    <message>
        <source>Only when you press Download.</source>
        <translation>Alleen als je op Downloaden drukt.</translation>
    </message>
    <message>
        <source>Every few minutes, with the address or permission that opens it.</source>
        <translation>Elke paar minuten, met het adres of de toestemming die toegang geeft.</translation>
    </message>
    <message>
        <source>And nothing else</source>
        <translation>En verder niets</translation>
    </message>
    <message>
        <source>No figures about your use, no search for updates, no reports of errors. Pressing Test asks that provider for the list of its models. Training is not part of this version; when it comes, its hosts will stand here.</source>
        <translation>Geen cijfers over je gebruik, niet zoeken naar updates, geen foutrapporten. Met Testen vraag je die aanbieder om de lijst van zijn modellen. Training hoort nog niet bij deze versie; zodra dat zo is, staan de servers ervan hier.</translation>
    </message>
</context>
<context>
    <name>ProgramSection</name>
    <message>
        <source>Start when I log in</source>
        <translation>Starten als ik inlog</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Openen</translation>
    </message>
    <message>
        <source>Open the first steps</source>
        <translation>Eerste stappen openen</translation>
    </message>
    <message>
        <source>First steps</source>
        <translation>Eerste stappen</translation>
    </message>
    <message>
        <source>Choose a model, connect an agent, see that it works.</source>
        <translation>Kies een model, verbind een agent, zie dat het werkt.</translation>
    </message>
    <message>
        <source>As a symbol in the bar, without this window.</source>
        <translation>Als symbool in de balk, zonder dit venster.</translation>
    </message>
</context>
<context>
    <name>ProofTab</name>
    <message>
        <source>Measured again later: {words}</source>
        <translation>Later opnieuw gemeten: {words}</translation>
    </message>
    <message>
        <source>Measured since it is in use</source>
        <translation>Gemeten sinds ze in gebruik is</translation>
    </message>
    <message>
        <source>It came with the app, and was not measured on your requests.</source>
        <translation>Ze hoort bij de app en is niet op jouw verzoeken gemeten.</translation>
    </message>
    <message>
        <source>You brought it in yourself, so nobody asked for proof.</source>
        <translation>Je bracht haar zelf mee, dus vroeg niemand om bewijs.</translation>
    </message>
    <message>
        <source>There were no requests to measure it on.</source>
        <translation>Er waren geen verzoeken om haar op te meten.</translation>
    </message>
    <message>
        <source>Not measured</source>
        <translation>Niet gemeten</translation>
    </message>
    <message>
        <source>Better on {wins} of {judged} requests it was not taught on</source>
        <translation>Beter bij {wins} van de {judged} verzoeken waar ze niet van leerde</translation>
    </message>
    <message>
        <source>Measured better</source>
        <translation>Beter gemeten</translation>
    </message>
    <message>
        <source>Promising, but not sure yet</source>
        <translation>Veelbelovend, maar nog niet zeker</translation>
    </message>
    <message>
        <source>No difference seen</source>
        <translation>Geen verschil gezien</translation>
    </message>
    <message>
        <source>Measured worse</source>
        <translation>Slechter gemeten</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemeten</translation>
    </message>
    <message numerus="yes">
        <source>worse on %n</source>
        <translation>
            <numerusform>slechter bij %n</numerusform>
            <numerusform>slechter bij %n</numerusform>
        </translation>
    </message>
    <message>
        <source>worse on none</source>
        <translation>bij geen enkele slechter</translation>
    </message>
    <message numerus="yes">
        <source>no difference on %n</source>
        <translation>
            <numerusform>geen verschil bij %n</numerusform>
            <numerusform>geen verschil bij %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of all these were invented, the others were your own</source>
        <translation>
            <numerusform>%n hiervan is verzonnen, de andere waren van jou</numerusform>
            <numerusform>%n hiervan zijn verzonnen, de andere waren van jou</numerusform>
        </translation>
    </message>
    <message>
        <source>How sure: of 100 such requests, {low} to {high} more would go better than worse with it.</source>
        <translation>Hoe zeker: van 100 zulke verzoeken zouden er met haar {low} tot {high} meer beter gaan dan slechter.</translation>
    </message>
    <message>
        <source>How sure: too few to tell. Of 100 such requests, it may be {low} to {high} more that go better than worse; below 0 means worse.</source>
        <translation>Hoe zeker: te weinig om te zeggen. Van 100 zulke verzoeken kunnen er {low} tot {high} meer beter dan slechter gaan; onder 0 betekent slechter.</translation>
    </message>
    <message>
        <source>Harm: there was nothing yet that it could have spoilt.</source>
        <translation>Schade: er was nog niets wat ze had kunnen bederven.</translation>
    </message>
    <message>
        <source>Harm: {lost} of {asked} requests that went well before came out worse.</source>
        <translation>Schade: {lost} van de {asked} verzoeken die eerder goed gingen, werden slechter.</translation>
    </message>
    <message numerus="yes">
        <source>Harm: none on %n request(s) that went well before.</source>
        <translation>
            <numerusform>Schade: geen bij %n verzoek dat eerder goed ging.</numerusform>
            <numerusform>Schade: geen bij %n verzoeken die eerder goed gingen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Each request was answered with it and without it by {model}, and compared blindly.</source>
        <translation>Elk verzoek is met en zonder haar beantwoord door {model}, en blind vergeleken.</translation>
    </message>
    <message>
        <source>Before and after</source>
        <translation>Ervoor en erna</translation>
    </message>
    <message numerus="yes">
        <source>All %n others</source>
        <translation>
            <numerusform>De ene andere</numerusform>
            <numerusform>Alle %n andere</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>QuitDialog</name>
    <message>
        <source>Quit MetaClaw Tray</source>
        <translation>MetaClaw Tray afsluiten</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuleren</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Afsluiten</translation>
    </message>
    <message>
        <source>Keep serving in the background</source>
        <translation>Op de achtergrond laten werken</translation>
    </message>
    <message>
        <source>Quit MetaClaw Tray?</source>
        <translation>MetaClaw Tray afsluiten?</translation>
    </message>
    <message>
        <source>In the background they are served as before; only the icon and the window go. Starting MetaClaw Tray again brings them back.</source>
        <translation>Op de achtergrond krijgen ze antwoord zoals eerst; alleen het pictogram en het venster verdwijnen. Start MetaClaw Tray opnieuw en ze zijn terug.</translation>
    </message>
    <message>
        <source>No agent has asked for anything in the last 15 minutes. An agent that is set up to talk through it would find nobody.</source>
        <translation>Geen agent heeft de laatste 15 minuten iets gevraagd. Een agent die via deze app hoort te werken, zou niemand vinden.</translation>
    </message>
    <message numerus="yes">
        <source>%n agent(s) talked through it in the last 15 minutes: {names}. If you quit, they get no answers.</source>
        <translation>
            <numerusform>%n agent werkte de laatste 15 minuten via deze app: {names}. Als je afsluit, krijgt hij geen antwoord.</numerusform>
            <numerusform>%n agents werkten de laatste 15 minuten via deze app: {names}. Als je afsluit, krijgen ze geen antwoord.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Quote</name>
    <message>
        <source>Show all of it</source>
        <translation>Alles tonen</translation>
    </message>
</context>
<context>
    <name>RawSheet</name>
    <message>
        <source>Request and answer</source>
        <translation>Verzoek en antwoord</translation>
    </message>
    <message>
        <source>One moment…</source>
        <translation>Een ogenblik…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Sluiten</translation>
    </message>
    <message>
        <source>As it is kept: secrets are taken out, very long texts are cut, and skills are not in it, for they were put in on the way.</source>
        <translation>Zoals het bewaard is: geheimen zijn eruit gehaald, heel lange teksten ingekort, en vaardigheden staan er niet in, want die kwamen er onderweg bij.</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>Verzoek</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwoord</translation>
    </message>
    <message>
        <source>It is longer than what is shown here.</source>
        <translation>Het is langer dan wat hier te zien is.</translation>
    </message>
    <message>
        <source>There was no answer.</source>
        <translation>Er was geen antwoord.</translation>
    </message>
</context>
<context>
    <name>RejectSheet</name>
    <message>
        <source>Why? You may leave this empty.</source>
        <translation>Waarom? Je mag dit leeg laten.</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Reden</translation>
    </message>
    <message>
        <source>It will not be offered again. The reason is kept with it.</source>
        <translation>Ze wordt niet opnieuw voorgesteld. De reden wordt erbij bewaard.</translation>
    </message>
    <message>
        <source>Reject “{name}”?</source>
        <translation>“{name}” afwijzen?</translation>
    </message>
    <message>
        <source>Reject</source>
        <translation>Afwijzen</translation>
    </message>
</context>
<context>
    <name>ScopeSheet</name>
    <message>
        <source>With none of them ticked it is for all, those to come too.</source>
        <translation>Vink je er geen aan, dan is ze voor alle, ook toekomstige.</translation>
    </message>
    <message>
        <source>For which agents is “{name}”?</source>
        <translation>Voor welke agents is “{name}”?</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Verder</translation>
    </message>
    <message>
        <source>No agent is connected yet.</source>
        <translation>Er is nog geen agent verbonden.</translation>
    </message>
    <message>
        <source>“{name}” is for {agents} only.</source>
        <translation>“{name}” is alleen voor {agents}.</translation>
    </message>
    <message>
        <source>“{name}” is for all agents.</source>
        <translation>“{name}” is voor alle agents.</translation>
    </message>
</context>
<context>
    <name>SecretField</name>
    <message>
        <source>Hide</source>
        <translation>Verbergen</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Tonen</translation>
    </message>
</context>
<context>
    <name>SettingField</name>
    <message>
        <source>Changed</source>
        <translation>Gewijzigd</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Herstellen</translation>
    </message>
    <message>
        <source>Reset {name}</source>
        <translation>{name} herstellen</translation>
    </message>
    <message>
        <source>Back to {value}</source>
        <translation>Terug naar {value}</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>niets</translation>
    </message>
    <message>
        <source>A change counts when the app starts next.</source>
        <translation>Een wijziging geldt vanaf de volgende start van de app.</translation>
    </message>
    <message>
        <source>A change asks for your yes.</source>
        <translation>Een wijziging vraagt om je ja.</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>Models</source>
        <translation>Modellen</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>Budget</translation>
    </message>
    <message>
        <source>Learning</source>
        <translation>Leren</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>Privacy</translation>
    </message>
    <message>
        <source>While you are away</source>
        <translation>Terwijl je weg bent</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>Meldingen</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Taal</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Gegevens</translation>
    </message>
    <message>
        <source>This app</source>
        <translation>Deze app</translation>
    </message>
    <message>
        <source>Where answers come from, for your agents and for learning.</source>
        <translation>Waar antwoorden vandaan komen, voor je agents en voor het leren.</translation>
    </message>
    <message>
        <source>What learning may cost. Your agents&apos; own requests are not limited.</source>
        <translation>Wat leren mag kosten. De verzoeken van je agents zelf hebben geen grens.</translation>
    </message>
    <message>
        <source>What is learnt, who decides, and how skills are used.</source>
        <translation>Wat er geleerd wordt, wie beslist en hoe vaardigheden gebruikt worden.</translation>
    </message>
    <message>
        <source>What leaves this machine, host by host, by the settings in force.</source>
        <translation>Wat deze computer verlaat, per server, volgens de huidige instellingen.</translation>
    </message>
    <message>
        <source>When a model of yours may be trained. It stops when you are back.</source>
        <translation>Wanneer een eigen model getraind mag worden. Het stopt als je terug bent.</translation>
    </message>
    <message>
        <source>What you are told while this window is closed.</source>
        <translation>Waarover je bericht krijgt terwijl dit venster dicht is.</translation>
    </message>
    <message>
        <source>The language of this window.</source>
        <translation>De taal van dit venster.</translation>
    </message>
    <message>
        <source>How long conversations are kept, and where everything lies.</source>
        <translation>Hoe lang gesprekken bewaard blijven, en waar alles staat.</translation>
    </message>
    <message>
        <source>How the app starts and where agents reach it.</source>
        <translation>Hoe de app start en waar agents hem bereiken.</translation>
    </message>
    <message>
        <source>Ask me about everything</source>
        <translation>Vraag mij alles</translation>
    </message>
    <message>
        <source>Take over proven changes of skills I trust</source>
        <translation>Bewezen wijzigingen overnemen van vaardigheden die ik vertrouw</translation>
    </message>
    <message>
        <source>Propose nothing</source>
        <translation>Niets voorstellen</translation>
    </message>
    <message>
        <source>What works here</source>
        <translation>Wat hier werkt</translation>
    </message>
    <message>
        <source>The system&apos;s keyring</source>
        <translation>De sleutelbos van het systeem</translation>
    </message>
    <message>
        <source>A file that only you can read</source>
        <translation>Een bestand dat alleen jij kunt lezen</translation>
    </message>
    <message>
        <source>Nowhere: asked for again after each start</source>
        <translation>Nergens: na elke start opnieuw gevraagd</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Zoals het systeem</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>seconden</translation>
    </message>
    <message>
        <source>minutes</source>
        <translation>minuten</translation>
    </message>
    <message numerus="yes">
        <source>day(s)</source>
        <translation>
            <numerusform>dag</numerusform>
            <numerusform>dagen</numerusform>
        </translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>tokens</translation>
    </message>
    <message>
        <source>Provider for learning</source>
        <translation>Aanbieder voor leren</translation>
    </message>
    <message>
        <source>It reads exchanges and writes skills. Nothing is learnt while this is empty.</source>
        <translation>Leest uitwisselingen en schrijft vaardigheden. Zolang dit leeg is, wordt er niets geleerd.</translation>
    </message>
    <message>
        <source>Model for learning</source>
        <translation>Leermodel</translation>
    </message>
    <message>
        <source>Its name there. A strong model writes better skills.</source>
        <translation>De naam daar. Een sterk model schrijft betere vaardigheden.</translation>
    </message>
    <message>
        <source>Learning may cost in a day</source>
        <translation>Leren mag kosten per dag</translation>
    </message>
    <message>
        <source>Learning stops for the day when the next call could pass this.</source>
        <translation>Het leren stopt voor die dag als de volgende vraag hierboven zou komen.</translation>
    </message>
    <message>
        <source>Learning may cost in a month</source>
        <translation>Leren mag kosten per maand</translation>
    </message>
    <message>
        <source>The same for a calendar month.</source>
        <translation>Hetzelfde voor een kalendermaand.</translation>
    </message>
    <message>
        <source>Learn from conversations</source>
        <translation>Leren van gesprekken</translation>
    </message>
    <message>
        <source>Look for what went wrong, and propose skills that help the next time.</source>
        <translation>Zoekt wat misging en stelt vaardigheden voor die de volgende keer helpen.</translation>
    </message>
    <message>
        <source>Opinions on one answer</source>
        <translation>Meningen over één antwoord</translation>
    </message>
    <message>
        <source>How often the model is asked whether an answer went wrong; the majority counts.</source>
        <translation>Hoe vaak het model gevraagd wordt of een antwoord misging; de meerderheid telt.</translation>
    </message>
    <message>
        <source>Mistakes before a skill is written</source>
        <translation>Fouten voordat een vaardigheid geschreven wordt</translation>
    </message>
    <message>
        <source>Of the same kind. What you ask for outright is taken up at once.</source>
        <translation>Van dezelfde soort. Waar je uitdrukkelijk om vraagt, wordt meteen opgepakt.</translation>
    </message>
    <message>
        <source>Patience with one question</source>
        <translation>Geduld met één vraag</translation>
    </message>
    <message>
        <source>After this, a question of learning is given up and asked again later.</source>
        <translation>Daarna wordt een vraag van het leren opgegeven en later opnieuw gesteld.</translation>
    </message>
    <message>
        <source>Questions at a time</source>
        <translation>Vragen tegelijk</translation>
    </message>
    <message>
        <source>How many questions learning may ask side by side.</source>
        <translation>Hoeveel vragen het leren naast elkaar mag stellen.</translation>
    </message>
    <message>
        <source>Wait until agents are quiet</source>
        <translation>Wachten tot agents stil zijn</translation>
    </message>
    <message>
        <source>Learning asks only when no agent has asked for anything this long.</source>
        <translation>Het leren vraagt pas iets als geen agent zo lang iets gevraagd heeft.</translation>
    </message>
    <message>
        <source>Size of a question that is asked again</source>
        <translation>Grootte van een vraag die opnieuw gesteld wordt</translation>
    </message>
    <message>
        <source>To see whether a skill helps, real questions are asked again, up to this size.</source>
        <translation>Om te zien of een vaardigheid helpt, worden echte vragen opnieuw gesteld, tot deze grootte.</translation>
    </message>
    <message>
        <source>Proposals in a day</source>
        <translation>Voorstellen per dag</translation>
    </message>
    <message>
        <source>More than this wait until tomorrow, so that you are not asked all the time.</source>
        <translation>Meer dan dit wacht tot morgen, zodat je niet steeds gevraagd wordt.</translation>
    </message>
    <message>
        <source>Who decides about skills</source>
        <translation>Wie over vaardigheden beslist</translation>
    </message>
    <message>
        <source>New skills always wait for your yes.</source>
        <translation>Nieuwe vaardigheden wachten altijd op je ja.</translation>
    </message>
    <message>
        <source>Use skills</source>
        <translation>Vaardigheden gebruiken</translation>
    </message>
    <message>
        <source>Put skills that fit in front of the model. Off: agents are only watched.</source>
        <translation>Geeft het model vaardigheden mee die passen. Uit: er wordt alleen meegekeken.</translation>
    </message>
    <message>
        <source>New skills for one question</source>
        <translation>Nieuwe vaardigheden per vraag</translation>
    </message>
    <message>
        <source>At most so many are added when you ask something.</source>
        <translation>Hoogstens zoveel gaan er mee als je iets vraagt.</translation>
    </message>
    <message>
        <source>Skills in one conversation</source>
        <translation>Vaardigheden in één gesprek</translation>
    </message>
    <message>
        <source>At most so many altogether.</source>
        <translation>Hoogstens zoveel in totaal.</translation>
    </message>
    <message>
        <source>Room for skills in one conversation</source>
        <translation>Ruimte voor vaardigheden in één gesprek</translation>
    </message>
    <message>
        <source>A token is a piece of a word, some four letters. They cost as your own words do.</source>
        <translation>Een token is een stukje van een woord, zo’n vier letters. Ze kosten evenveel als je eigen woorden.</translation>
    </message>
    <message>
        <source>Find skills by meaning</source>
        <translation>Vaardigheden vinden op betekenis</translation>
    </message>
    <message>
        <source>Also where other words or another language are used. Needs an extra part.</source>
        <translation>Ook bij andere woorden of in een andere taal. Hier is een extra onderdeel voor nodig.</translation>
    </message>
    <message>
        <source>Put it away after</source>
        <translation>Opruimen na</translation>
    </message>
    <message>
        <source>The part that knows meanings frees its memory when it was not needed this long.</source>
        <translation>Het onderdeel dat betekenissen kent, geeft zijn geheugen vrij als het zo lang niet nodig was.</translation>
    </message>
    <message>
        <source>Tell me what needs me while the window is closed.</source>
        <translation>Laat me weten wat mij nodig heeft terwijl het venster dicht is.</translation>
    </message>
    <message>
        <source>New skills</source>
        <translation>Nieuwe vaardigheden</translation>
    </message>
    <message>
        <source>When one waits for your decision.</source>
        <translation>Als er een op je beslissing wacht.</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>When it begins and when it ends.</source>
        <translation>Als ze begint en als ze eindigt.</translation>
    </message>
    <message>
        <source>Trouble</source>
        <translation>Problemen</translation>
    </message>
    <message>
        <source>When something needs a hand.</source>
        <translation>Als er iets je aandacht vraagt.</translation>
    </message>
    <message>
        <source>Titles of meetings</source>
        <translation>Titels van afspraken</translation>
    </message>
    <message>
        <source>Say in which meeting training ran. Others may see your screen.</source>
        <translation>Zegt in welke afspraak er getraind is. Anderen zien misschien je scherm.</translation>
    </message>
    <message>
        <source>At most in a day</source>
        <translation>Hoogstens per dag</translation>
    </message>
    <message>
        <source>The rest is in the window.</source>
        <translation>De rest staat in het venster.</translation>
    </message>
    <message>
        <source>Quiet from</source>
        <translation>Stil vanaf</translation>
    </message>
    <message>
        <source>Nothing is told in the quiet hours.</source>
        <translation>In de stille uren krijg je geen bericht.</translation>
    </message>
    <message>
        <source>Quiet until</source>
        <translation>Stil tot</translation>
    </message>
    <message>
        <source>From then on you are told again.</source>
        <translation>Vanaf dan krijg je weer bericht.</translation>
    </message>
    <message>
        <source>Train while I am away</source>
        <translation>Trainen terwijl ik weg ben</translation>
    </message>
    <message>
        <source>Nothing runs before training is set up on its own page.</source>
        <translation>Er gebeurt niets voordat training op haar eigen pagina is ingesteld.</translation>
    </message>
    <message>
        <source>Away after</source>
        <translation>Afwezig na</translation>
    </message>
    <message>
        <source>Without a key or the mouse. What you type is never looked at.</source>
        <translation>Zonder toets of muis. Naar wat je typt, wordt nooit gekeken.</translation>
    </message>
    <message>
        <source>Sleep hours</source>
        <translation>Slaaptijd</translation>
    </message>
    <message>
        <source>Per day on which they begin: every, or mon to sun. Such as 23:30-07:00.</source>
        <translation>Per dag waarop ze begint: every, of mon tot sun. Zoals 23:30-07:00.</translation>
    </message>
    <message>
        <source>Trust sleep hours alone</source>
        <translation>Op slaaptijd alleen vertrouwen</translation>
    </message>
    <message>
        <source>Also where it cannot be seen whether you are at the computer.</source>
        <translation>Ook waar niet te zien is of je achter de computer zit.</translation>
    </message>
    <message>
        <source>Shortest time worth it</source>
        <translation>Kortste tijd die loont</translation>
    </message>
    <message>
        <source>Training does not begin when you will likely be back sooner.</source>
        <translation>De training begint niet als je waarschijnlijk eerder terug bent.</translation>
    </message>
    <message>
        <source>During meetings</source>
        <translation>Tijdens afspraken</translation>
    </message>
    <message>
        <source>Of the calendars you have connected. You may type notes meanwhile.</source>
        <translation>Van de agenda’s die je verbonden hebt. Je mag intussen notities typen.</translation>
    </message>
    <message>
        <source>Begin into a meeting</source>
        <translation>Beginnen in een afspraak</translation>
    </message>
    <message>
        <source>After its beginning, in case it starts late.</source>
        <translation>Na het begin, voor als ze te laat begint.</translation>
    </message>
    <message>
        <source>End before a meeting&apos;s end</source>
        <translation>Eindigen voor het einde van een afspraak</translation>
    </message>
    <message>
        <source>In case it ends early.</source>
        <translation>Voor als ze eerder eindigt.</translation>
    </message>
    <message>
        <source>Stop when I type in a meeting</source>
        <translation>Stoppen als ik in een afspraak typ</translation>
    </message>
    <message>
        <source>Otherwise only a message to an agent stops it there.</source>
        <translation>Anders stopt alleen een bericht aan een agent het daar.</translation>
    </message>
    <message>
        <source>Read calendars every</source>
        <translation>Agenda’s lezen, elke</translation>
    </message>
    <message>
        <source>They are also read when the network is back and when the computer wakes.</source>
        <translation>Ze worden ook gelezen als het netwerk terug is en als de computer ontwaakt.</translation>
    </message>
    <message>
        <source>On battery too</source>
        <translation>Ook op de accu</translation>
    </message>
    <message>
        <source>Otherwise only with the power cable in.</source>
        <translation>Anders alleen met de stekker erin.</translation>
    </message>
    <message>
        <source>Down to a charge of</source>
        <translation>Tot een lading van</translation>
    </message>
    <message>
        <source>Where training on battery is allowed.</source>
        <translation>Waar trainen op de accu mag.</translation>
    </message>
    <message>
        <source>Over metered networks too</source>
        <translation>Ook over netwerken met datalimiet</translation>
    </message>
    <message>
        <source>Such as a phone&apos;s. Only what goes to a training service counts.</source>
        <translation>Zoals die van een telefoon. Alleen wat naar een trainingsdienst gaat, telt.</translation>
    </message>
    <message>
        <source>Leave a busy computer alone</source>
        <translation>Een drukke computer met rust laten</translation>
    </message>
    <message>
        <source>Above this load by other programs nothing is trained on this computer.</source>
        <translation>Boven deze belasting door andere programma’s wordt er op deze computer niet getraind.</translation>
    </message>
    <message>
        <source>Of this window, with its dates and numbers.</source>
        <translation>Van dit venster, met de datums en getallen.</translation>
    </message>
    <message>
        <source>Keep conversations for</source>
        <translation>Gesprekken bewaren</translation>
    </message>
    <message>
        <source>Older ones are forgotten for good. 0 keeps them for ever.</source>
        <translation>Oudere worden voorgoed vergeten. 0 bewaart ze voor altijd.</translation>
    </message>
    <message>
        <source>Room for conversations</source>
        <translation>Ruimte voor gesprekken</translation>
    </message>
    <message>
        <source>The oldest go first. 0 sets no limit.</source>
        <translation>De oudste gaan eerst. 0 betekent geen grens.</translation>
    </message>
    <message>
        <source>A conversation ends after</source>
        <translation>Een gesprek eindigt na</translation>
    </message>
    <message>
        <source>Without a word from the agent. Then it is looked at as a whole.</source>
        <translation>Zonder een woord van de agent. Dan wordt het als geheel bekeken.</translation>
    </message>
    <message>
        <source>Where keys are kept</source>
        <translation>Waar sleutels bewaard worden</translation>
    </message>
    <message>
        <source>They are never shown, and never part of what is learnt.</source>
        <translation>Ze worden nooit getoond, en er wordt nooit van geleerd.</translation>
    </message>
    <message>
        <source>Port for agents</source>
        <translation>Poort voor agents</translation>
    </message>
    <message>
        <source>The number in their addresses. Agents have to be pointed anew when it changes.</source>
        <translation>Het getal in hun adressen. Als het verandert, moet je agents opnieuw hierheen verwijzen.</translation>
    </message>
    <message>
        <source>Questions of agents at once</source>
        <translation>Vragen van agents tegelijk</translation>
    </message>
    <message>
        <source>More than this are asked to come again.</source>
        <translation>Zijn het er meer, dan wordt gevraagd later terug te komen.</translation>
    </message>
    <message>
        <source>Connections of agents at once</source>
        <translation>Verbindingen van agents tegelijk</translation>
    </message>
    <message>
        <source>A guard against programs that open too many.</source>
        <translation>Een bescherming tegen programma’s die er te veel openen.</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>Search settings</source>
        <translation>Instellingen zoeken</translation>
    </message>
    <message>
        <source>Sections</source>
        <translation>Onderdelen</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Instellingen</translation>
    </message>
    <message>
        <source>Another one? Put its translation, a file such as fr.qm, into the folder “languages” beside the settings file. It is in the list from then on.</source>
        <translation>Een andere? Zet de vertaling, een bestand zoals fr.qm, in de map “languages” naast het instellingenbestand. Vanaf dan staat ze in de lijst.</translation>
    </message>
    <message>
        <source>No setting has “{text}” in it.</source>
        <translation>In geen instelling staat “{text}”.</translation>
    </message>
</context>
<context>
    <name>SkillText</name>
    <message>
        <source>Text of the skill</source>
        <translation>Tekst van de vaardigheid</translation>
    </message>
    <message>
        <source>The head of the file: name, when it is used, and how it is found</source>
        <translation>De kop van het bestand: naam, wanneer ze gebruikt wordt en hoe ze gevonden wordt</translation>
    </message>
</context>
<context>
    <name>Skills</name>
    <message>
        <source>picture, not loaded</source>
        <translation>afbeelding, niet geladen</translation>
    </message>
    <message>
        <source>Waits for you</source>
        <translation>Wacht op je</translation>
    </message>
    <message>
        <source>Comes later</source>
        <translation>Komt later</translation>
    </message>
    <message>
        <source>Turned down by a check</source>
        <translation>Door een controle geweigerd</translation>
    </message>
    <message>
        <source>Skills</source>
        <translation>Vaardigheden</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>In gebruik</translation>
    </message>
    <message>
        <source>On trial</source>
        <translation>Op proef</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Uit</translation>
    </message>
    <message>
        <source>Retired</source>
        <translation>Gearchiveerd</translation>
    </message>
    <message>
        <source>New</source>
        <translation>Nieuw</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Wijziging</translation>
    </message>
    <message>
        <source>Retire</source>
        <translation>Archiveren</translation>
    </message>
    <message>
        <source>Edited outside</source>
        <translation>Buitenom bewerkt</translation>
    </message>
    <message>
        <source>Yours</source>
        <translation>Van jou</translation>
    </message>
    <message>
        <source>Learnt</source>
        <translation>Geleerd</translation>
    </message>
    <message>
        <source>Came with the app</source>
        <translation>Hoort bij de app</translation>
    </message>
    <message>
        <source>Imported</source>
        <translation>Geïmporteerd</translation>
    </message>
    <message>
        <source>Careful: not only your words</source>
        <translation>Let op: niet alleen jouw woorden</translation>
    </message>
    <message>
        <source>A new skill is proposed.</source>
        <translation>Er wordt een nieuwe vaardigheid voorgesteld.</translation>
    </message>
    <message>
        <source>A change of this skill is proposed.</source>
        <translation>Er wordt een wijziging van deze vaardigheid voorgesteld.</translation>
    </message>
    <message>
        <source>It is proposed to retire this skill.</source>
        <translation>Er wordt voorgesteld deze vaardigheid te archiveren.</translation>
    </message>
    <message>
        <source>Somebody edited the skills folder.</source>
        <translation>Iemand heeft de map met vaardigheden bewerkt.</translation>
    </message>
    <message>
        <source>your words</source>
        <translation>jouw woorden</translation>
    </message>
    <message>
        <source>the judging model&apos;s words</source>
        <translation>woorden van het beoordelende model</translation>
    </message>
    <message>
        <source>a tool&apos;s words, not yours</source>
        <translation>woorden van een hulpmiddel, niet van jou</translation>
    </message>
    <message>
        <source>a web page&apos;s words, not yours</source>
        <translation>woorden van een webpagina, niet van jou</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Oordeel</translation>
    </message>
    <message>
        <source>You corrected it</source>
        <translation>Je verbeterde het</translation>
    </message>
    <message>
        <source>You asked again</source>
        <translation>Je vroeg het opnieuw</translation>
    </message>
    <message>
        <source>You were content</source>
        <translation>Je was tevreden</translation>
    </message>
    <message>
        <source>You gave a rule</source>
        <translation>Je gaf een regel</translation>
    </message>
    <message>
        <source>Your thumb</source>
        <translation>Je duim</translation>
    </message>
    <message>
        <source>A tool failed</source>
        <translation>Een hulpmiddel faalde</translation>
    </message>
    <message>
        <source>A tool failed, then worked</source>
        <translation>Een hulpmiddel faalde, daarna werkte het</translation>
    </message>
    <message>
        <source>The surroundings failed</source>
        <translation>De omstandigheden zaten tegen</translation>
    </message>
    <message>
        <source>The answer was cut off</source>
        <translation>Het antwoord werd afgebroken</translation>
    </message>
    <message>
        <source>Your own request, kept aside for measuring</source>
        <translation>Je eigen verzoek, apart gehouden om te meten</translation>
    </message>
    <message>
        <source>Invented, like the ones that taught it</source>
        <translation>Verzonnen, zoals die waar ze van leerde</translation>
    </message>
    <message>
        <source>One that taught it; shown, but not counted</source>
        <translation>Een waar ze van leerde; getoond, niet meegeteld</translation>
    </message>
    <message>
        <source>Went well before; looked at for harm</source>
        <translation>Ging eerder goed; gecontroleerd op schade</translation>
    </message>
    <message>
        <source>Better with it</source>
        <translation>Beter met haar</translation>
    </message>
    <message>
        <source>Worse with it</source>
        <translation>Slechter met haar</translation>
    </message>
    <message>
        <source>No difference</source>
        <translation>Geen verschil</translation>
    </message>
    <message>
        <source>Could not be judged</source>
        <translation>Kon niet beoordeeld worden</translation>
    </message>
    <message>
        <source>Approved</source>
        <translation>Goedgekeurd</translation>
    </message>
    <message>
        <source>Added</source>
        <translation>Toegevoegd</translation>
    </message>
    <message>
        <source>Switched on</source>
        <translation>Aangezet</translation>
    </message>
    <message>
        <source>Switched off</source>
        <translation>Uitgezet</translation>
    </message>
    <message>
        <source>Trust changed</source>
        <translation>Vertrouwen gewijzigd</translation>
    </message>
    <message>
        <source>Agents changed</source>
        <translation>Agents gewijzigd</translation>
    </message>
    <message>
        <source>Trial began</source>
        <translation>Proef begonnen</translation>
    </message>
    <message>
        <source>Trial ended</source>
        <translation>Proef afgelopen</translation>
    </message>
    <message>
        <source>Taken back</source>
        <translation>Teruggedraaid</translation>
    </message>
    <message>
        <source>Proposal rejected</source>
        <translation>Voorstel afgewezen</translation>
    </message>
    <message>
        <source>Put off</source>
        <translation>Uitgesteld</translation>
    </message>
    <message>
        <source>The library returned to an earlier state</source>
        <translation>De bibliotheek is naar een eerdere stand teruggezet</translation>
    </message>
    <message>
        <source>in the window</source>
        <translation>in het venster</translation>
    </message>
    <message>
        <source>in the tray&apos;s menu</source>
        <translation>in het menu van het pictogram</translation>
    </message>
    <message>
        <source>in a terminal</source>
        <translation>in een terminal</translation>
    </message>
    <message>
        <source>by a script</source>
        <translation>door een script</translation>
    </message>
    <message>
        <source>by itself, as you had agreed</source>
        <translation>vanzelf, zoals je had afgesproken</translation>
    </message>
</context>
<context>
    <name>SkillsPage</name>
    <message>
        <source>Import…</source>
        <translation>Importeren…</translation>
    </message>
    <message>
        <source>New skill</source>
        <translation>Nieuwe vaardigheid</translation>
    </message>
    <message>
        <source>Skills</source>
        <translation>Vaardigheden</translation>
    </message>
    <message numerus="yes">
        <source>%n proposal(s) wait for you.</source>
        <translation>
            <numerusform>%n voorstel wacht op je.</numerusform>
            <numerusform>%n voorstellen wachten op je.</numerusform>
        </translation>
    </message>
    <message>
        <source>Short notes that are put in front of a request when they fit it.</source>
        <translation>Korte notities die bij een verzoek meegaan als ze erbij passen.</translation>
    </message>
    <message>
        <source>No skills yet</source>
        <translation>Nog geen vaardigheden</translation>
    </message>
    <message>
        <source>A skill is a short note that your agent reads before it answers, when the note fits the request. When you correct an agent, or tell it how you want things done, a skill is written from that and waits here for your yes.</source>
        <translation>Een vaardigheid is een korte notitie die je agent leest voordat hij antwoordt, als de notitie bij het verzoek past. Als je een agent verbetert of zegt hoe je iets wilt, wordt daar een vaardigheid van geschreven, die hier op je ja wacht.</translation>
    </message>
    <message>
        <source>Write one yourself</source>
        <translation>Zelf schrijven</translation>
    </message>
    <message>
        <source>It is taken back.</source>
        <translation>Het is teruggedraaid.</translation>
    </message>
    <message>
        <source>Which folder holds the skills?</source>
        <translation>In welke map staan de vaardigheden?</translation>
    </message>
</context>
<context>
    <name>Speech</name>
    <message>
        <source>Show all of it</source>
        <translation>Alles tonen</translation>
    </message>
</context>
<context>
    <name>StatusCard</name>
    <message>
        <source>Start now</source>
        <translation>Nu starten</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pauzeren</translation>
    </message>
    <message>
        <source>Stop…</source>
        <translation>Stoppen…</translation>
    </message>
    <message>
        <source>How it stands</source>
        <translation>Hoe het ervoor staat</translation>
    </message>
    <message>
        <source>What decides</source>
        <translation>Wat beslist</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Verder</translation>
    </message>
    <message>
        <source>Hide what decides</source>
        <translation>Verbergen wat beslist</translation>
    </message>
</context>
<context>
    <name>SureDialog</name>
    <message>
        <source>Cancel</source>
        <translation>Annuleren</translation>
    </message>
</context>
<context>
    <name>TextTab</name>
    <message>
        <source>As it reads</source>
        <translation>Zoals het leest</translation>
    </message>
    <message>
        <source>As it is written</source>
        <translation>Zoals het geschreven is</translation>
    </message>
    <message numerus="yes">
        <source>about %n token(s)</source>
        <translation>
            <numerusform>ongeveer %n token</numerusform>
            <numerusform>ongeveer %n tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>How much of a request it takes up: four letters are about one token.</source>
        <translation>Hoeveel ruimte ze in een verzoek inneemt: vier letters zijn ongeveer één token.</translation>
    </message>
    <message>
        <source>This text is too long to be used. “Put shortly” has a short form written.</source>
        <translation>Deze tekst is te lang om te gebruiken. Met “Korter maken” laat je een korte versie schrijven.</translation>
    </message>
    <message>
        <source>This is the text that would no longer be used.</source>
        <translation>Dit is de tekst die dan niet meer gebruikt wordt.</translation>
    </message>
</context>
<context>
    <name>Today</name>
    <message>
        <source>From</source>
        <translation>Van</translation>
    </message>
    <message>
        <source>Until</source>
        <translation>Tot</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Wat</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Meer</translation>
    </message>
    <message>
        <source>The day</source>
        <translation>De dag</translation>
    </message>
    <message>
        <source>now</source>
        <translation>nu</translation>
    </message>
    <message>
        <source>You</source>
        <translation>Jij</translation>
    </message>
    <message>
        <source>Agents</source>
        <translation>Agents</translation>
    </message>
    <message>
        <source>Learning</source>
        <translation>Leren</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Sleep hours</source>
        <translation>Slaaptijd</translation>
    </message>
    <message>
        <source>Meeting</source>
        <translation>Afspraak</translation>
    </message>
    <message>
        <source>Away</source>
        <translation>Afwezig</translation>
    </message>
    <message>
        <source>Agents at work</source>
        <translation>Agents aan het werk</translation>
    </message>
    <message>
        <source>Next window</source>
        <translation>Volgend trainingsmoment</translation>
    </message>
    <message numerus="yes">
        <source>{agents}: %n exchange(s)</source>
        <translation>
            <numerusform>{agents}: %n uitwisseling</numerusform>
            <numerusform>{agents}: %n uitwisselingen</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing happened in it so far.</source>
        <translation>Er is tot nu toe niets in gebeurd.</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>nog %n</numerusform>
            <numerusform>nog %n</numerusform>
        </translation>
    </message>
    <message>
        <source>under 0.01 USD</source>
        <translation>minder dan 0,01 USD</translation>
    </message>
    <message>
        <source>{amount} USD</source>
        <translation>{amount} USD</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Gisteren</translation>
    </message>
    <message>
        <source>Nobody has asked anything yet today.</source>
        <translation>Vandaag heeft nog niemand iets gevraagd.</translation>
    </message>
    <message>
        <source>Nobody asked anything that day.</source>
        <translation>Die dag vroeg niemand iets.</translation>
    </message>
    <message numerus="yes">
        <source>You put %n answer(s) right.</source>
        <translation>
            <numerusform>Je zette %n antwoord recht.</numerusform>
            <numerusform>Je zette %n antwoorden recht.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>You were pleased with %n.</source>
        <translation>
            <numerusform>Je was tevreden met %n antwoord.</numerusform>
            <numerusform>Je was tevreden met %n antwoorden.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposal(s) came of what was learnt.</source>
        <translation>
            <numerusform>Uit wat geleerd is, kwam %n voorstel.</numerusform>
            <numerusform>Uit wat geleerd is, kwamen %n voorstellen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n skill(s) came into use.</source>
        <translation>
            <numerusform>Er kwam %n vaardigheid in gebruik.</numerusform>
            <numerusform>Er kwamen %n vaardigheden in gebruik.</numerusform>
        </translation>
    </message>
    <message>
        <source>{count} with {agent}</source>
        <translation>{count} met {agent}</translation>
    </message>
    <message numerus="yes">
        <source>%n exchange(s) with {agent}.</source>
        <translation>
            <numerusform>%n uitwisseling met {agent}.</numerusform>
            <numerusform>%n uitwisselingen met {agent}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n exchange(s): {agents}.</source>
        <translation>
            <numerusform>%n uitwisseling: {agents}.</numerusform>
            <numerusform>%n uitwisselingen: {agents}.</numerusform>
        </translation>
    </message>
    <message>
        <source>No skill fitted any of them.</source>
        <translation>Geen vaardigheid paste erbij.</translation>
    </message>
    <message>
        <source>“{skill}”</source>
        <translation>“{skill}”</translation>
    </message>
    <message numerus="yes">
        <source>%n of them had a skill to go by: {skills}.</source>
        <translation>
            <numerusform>Bij %n ervan ging een vaardigheid mee: {skills}.</numerusform>
            <numerusform>Bij %n ervan ging een vaardigheid mee: {skills}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n answer(s) were judged</source>
        <translation>
            <numerusform>%n antwoord is beoordeeld</numerusform>
            <numerusform>%n antwoorden zijn beoordeeld</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n helped</source>
        <translation>
            <numerusform>%n hielp</numerusform>
            <numerusform>%n hielpen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n did not</source>
        <translation>
            <numerusform>%n niet</numerusform>
            <numerusform>%n niet</numerusform>
        </translation>
    </message>
    <message>
        <source>Approved: {name}</source>
        <translation>Goedgekeurd: {name}</translation>
    </message>
    <message>
        <source>Rejected: {name}</source>
        <translation>Afgewezen: {name}</translation>
    </message>
    <message>
        <source>Turned down by a check: {name}</source>
        <translation>Door een controle geweigerd: {name}</translation>
    </message>
    <message>
        <source>Looked into, nothing to learn: {name}</source>
        <translation>Onderzocht, niets te leren: {name}</translation>
    </message>
    <message>
        <source>Could not be looked into: {name}</source>
        <translation>Kon niet onderzocht worden: {name}</translation>
    </message>
    <message>
        <source>A change is proposed: {name}</source>
        <translation>Er wordt een wijziging voorgesteld: {name}</translation>
    </message>
    <message>
        <source>To be retired, it is proposed: {name}</source>
        <translation>Voorgesteld om te archiveren: {name}</translation>
    </message>
    <message>
        <source>Edited outside: {name}</source>
        <translation>Buitenom bewerkt: {name}</translation>
    </message>
    <message>
        <source>A new skill is proposed: {name}</source>
        <translation>Er wordt een nieuwe vaardigheid voorgesteld: {name}</translation>
    </message>
    <message numerus="yes">
        <source>%n answer(s) failed at the model&apos;s side</source>
        <translation>
            <numerusform>%n antwoord mislukte bij het model</numerusform>
            <numerusform>%n antwoorden mislukten bij het model</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n answer(s) were cut in the middle</source>
        <translation>
            <numerusform>%n antwoord werd halverwege afgebroken</numerusform>
            <numerusform>%n antwoorden werden halverwege afgebroken</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n time(s) the agent left before the answer was there</source>
        <translation>
            <numerusform>%n keer ging de agent weg voordat het antwoord er was</numerusform>
            <numerusform>%n keer ging de agent weg voordat het antwoord er was</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n answer(s) were under way when the app ended</source>
        <translation>
            <numerusform>%n antwoord was bezig toen de app stopte</numerusform>
            <numerusform>%n antwoorden waren bezig toen de app stopte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n record(s) were not kept: the app was too busy</source>
        <translation>
            <numerusform>%n uitwisseling is niet vastgelegd: de app had het te druk</numerusform>
            <numerusform>%n uitwisselingen zijn niet vastgelegd: de app had het te druk</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n answer(s) could not be judged</source>
        <translation>
            <numerusform>%n antwoord kon niet beoordeeld worden</numerusform>
            <numerusform>%n antwoorden konden niet beoordeeld worden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Learning had to wait, %n time(s)</source>
        <translation>
            <numerusform>Het leren moest %n keer wachten</numerusform>
            <numerusform>Het leren moest %n keer wachten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thing(s) were turned down</source>
        <translation>
            <numerusform>%n ding is geweigerd</numerusform>
            <numerusform>%n dingen zijn geweigerd</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n skill file(s) were changed outside the app</source>
        <translation>
            <numerusform>%n vaardigheidsbestand is buiten de app gewijzigd</numerusform>
            <numerusform>%n vaardigheidsbestanden zijn buiten de app gewijzigd</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n fault(s)</source>
        <translation>
            <numerusform>%n fout</numerusform>
            <numerusform>%n fouten</numerusform>
        </translation>
    </message>
    <message>
        <source>Judging answers</source>
        <translation>Antwoorden beoordelen</translation>
    </message>
    <message>
        <source>Writing skills</source>
        <translation>Vaardigheden schrijven</translation>
    </message>
    <message>
        <source>Measuring skills</source>
        <translation>Vaardigheden meten</translation>
    </message>
    <message>
        <source>No training is set up. Skills are learnt all the same.</source>
        <translation>Training is niet ingesteld. Vaardigheden worden toch geleerd.</translation>
    </message>
    <message>
        <source>Training may run now.</source>
        <translation>Trainen mag nu.</translation>
    </message>
    <message>
        <source>No training now: {why}</source>
        <translation>Nu geen training: {why}</translation>
    </message>
    <message>
        <source>Next window: {time}</source>
        <translation>Volgend trainingsmoment: {time}</translation>
    </message>
    <message>
        <source>Next window: {time} to {until}</source>
        <translation>Volgend trainingsmoment: {time} tot {until}</translation>
    </message>
    <message>
        <source>a meeting</source>
        <translation>een afspraak</translation>
    </message>
    <message>
        <source>you are likely to be away</source>
        <translation>je bent waarschijnlijk weg</translation>
    </message>
    <message>
        <source>your sleep hours</source>
        <translation>je slaaptijd</translation>
    </message>
    <message>
        <source>you asked for it</source>
        <translation>je vroeg erom</translation>
    </message>
</context>
<context>
    <name>TodayPage</name>
    <message>
        <source>The day before</source>
        <translation>De dag ervoor</translation>
    </message>
    <message>
        <source>The day after</source>
        <translation>De dag erna</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Vandaag</translation>
    </message>
</context>
<context>
    <name>Told</name>
    <message>
        <source>What learning came to</source>
        <translation>Wat het leren opleverde</translation>
    </message>
    <message>
        <source>What went wrong</source>
        <translation>Wat misging</translation>
    </message>
    <message>
        <source>What learning cost</source>
        <translation>Wat het leren kostte</translation>
    </message>
    <message numerus="yes">
        <source>%n more earlier</source>
        <translation>
            <numerusform>nog %n eerder</numerusform>
            <numerusform>nog %n eerder</numerusform>
        </translation>
    </message>
    <message>
        <source>Learning waits: {why}</source>
        <translation>Het leren wacht: {why}</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Tonen</translation>
    </message>
    <message>
        <source>Show {what}</source>
        <translation>{what} tonen</translation>
    </message>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n aanvraag</numerusform>
            <numerusform>%n aanvragen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Training</name>
    <message>
        <source>Curves</source>
        <translation>Verloop</translation>
    </message>
    <message>
        <source>Curves of the job of {when}</source>
        <translation>Verloop van de taak van {when}</translation>
    </message>
    <message numerus="yes">
        <source>trained on %n request(s)</source>
        <translation>
            <numerusform>getraind op %n verzoek</numerusform>
            <numerusform>getraind op %n verzoeken</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n stap</numerusform>
            <numerusform>%n stappen</numerusform>
        </translation>
    </message>
    <message>
        <source>Roll back…</source>
        <translation>Terugzetten…</translation>
    </message>
    <message>
        <source>Use…</source>
        <translation>Gebruiken…</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Openen</translation>
    </message>
    <message>
        <source>Opened: {why}</source>
        <translation>Begonnen: {why}</translation>
    </message>
    <message>
        <source>Closed: {why}</source>
        <translation>Afgelopen: {why}</translation>
    </message>
    <message>
        <source>{minutes} min of training</source>
        <translation>{minutes} min training</translation>
    </message>
    <message>
        <source>no training</source>
        <translation>geen training</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exporteren</translation>
    </message>
    <message>
        <source>For training tools (PEFT folder)…</source>
        <translation>Voor trainingsprogramma’s (PEFT-map)…</translation>
    </message>
    <message>
        <source>For llama.cpp (GGUF file)…</source>
        <translation>Voor llama.cpp (GGUF-bestand)…</translation>
    </message>
    <message>
        <source>While you are away, a model of your own can practise on requests of yours and be told which of its answers were good. It answers your agents only if it did better on requests that were kept aside, and you can go back at any time.</source>
        <translation>Terwijl je weg bent, kan een eigen model oefenen op verzoeken van jou en horen welke antwoorden goed waren. Het antwoordt je agents alleen als het beter was op apart gehouden verzoeken, en je kunt altijd terug.</translation>
    </message>
    <message>
        <source>Not set up</source>
        <translation>Niet ingesteld</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wacht</translation>
    </message>
    <message>
        <source>Training now</source>
        <translation>Traint nu</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Gepauzeerd</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Stopt</translation>
    </message>
    <message>
        <source>No training is set up. Skills are learnt all the same.</source>
        <translation>Training is niet ingesteld. Vaardigheden worden toch geleerd.</translation>
    </message>
    <message>
        <source>It runs since {time}. {why}</source>
        <translation>Bezig sinds {time}. {why}</translation>
    </message>
    <message>
        <source>Why not now: {why}</source>
        <translation>Waarom nu niet: {why}</translation>
    </message>
    <message>
        <source>Such forecasts came true {share} times in 10.</source>
        <translation>Zulke voorspellingen kwamen {share} van de 10 keer uit.</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Model</translation>
    </message>
    <message>
        <source>Trained by</source>
        <translation>Getraind door</translation>
    </message>
    <message>
        <source>{there} of the {wanted} it needs</source>
        <translation>{there} van de {wanted} die nodig zijn</translation>
    </message>
    <message>
        <source>Requests to practise on</source>
        <translation>Verzoeken om op te oefenen</translation>
    </message>
    <message>
        <source>{spent} of at most {limit}</source>
        <translation>{spent} van hoogstens {limit}</translation>
    </message>
    <message>
        <source>This month</source>
        <translation>Deze maand</translation>
    </message>
    <message>
        <source>{host} (what it practises on is sent there)</source>
        <translation>{host} (waarop geoefend wordt, gaat daarheen)</translation>
    </message>
    <message>
        <source>{host} (nothing leaves this machine)</source>
        <translation>{host} (niets verlaat deze computer)</translation>
    </message>
    <message>
        <source>Planned</source>
        <translation>Gepland</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Bezig</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Klaar</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Gestopt</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Mislukt</translation>
    </message>
    <message>
        <source>Waits for you</source>
        <translation>Wacht op je</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>In gebruik</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Gereed</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>Bewaard</translation>
    </message>
    <message>
        <source>Not better</source>
        <translation>Niet beter</translation>
    </message>
    <message>
        <source>Removed</source>
        <translation>Verwijderd</translation>
    </message>
    <message>
        <source>Speaks for it</source>
        <translation>Pleit ervoor</translation>
    </message>
    <message>
        <source>Speaks against it</source>
        <translation>Pleit ertegen</translation>
    </message>
    <message>
        <source>Does not matter now</source>
        <translation>Doet er nu niet toe</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>Niet bekend</translation>
    </message>
    <message>
        <source>Keyboard and mouse</source>
        <translation>Toetsenbord en muis</translation>
    </message>
    <message>
        <source>Calendar</source>
        <translation>Agenda</translation>
    </message>
    <message>
        <source>Sleep hours</source>
        <translation>Slaaptijd</translation>
    </message>
    <message>
        <source>Screen lock</source>
        <translation>Schermvergrendeling</translation>
    </message>
    <message>
        <source>Calls and films</source>
        <translation>Gesprekken en films</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>Stroom</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netwerk</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Belasting</translation>
    </message>
    <message>
        <source>Agents</source>
        <translation>Agents</translation>
    </message>
    <message>
        <source>What may be spent</source>
        <translation>Wat het mag kosten</translation>
    </message>
    <message>
        <source>What you asked for</source>
        <translation>Waar je om vroeg</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Meeting</source>
        <translation>Afspraak</translation>
    </message>
    <message>
        <source>You were away</source>
        <translation>Je was weg</translation>
    </message>
    <message>
        <source>You asked for it</source>
        <translation>Je vroeg erom</translation>
    </message>
    <message>
        <source>since {begin}</source>
        <translation>sinds {begin}</translation>
    </message>
    <message>
        <source>{begin} to {end}</source>
        <translation>{begin} tot {end}</translation>
    </message>
    <message>
        <source>{mean}, between {low} and {high}</source>
        <translation>{mean}, tussen {low} en {high}</translation>
    </message>
    <message>
        <source>Before: {score}.</source>
        <translation>Ervoor: {score}.</translation>
    </message>
    <message numerus="yes">
        <source>Measured on %n request(s) kept aside.</source>
        <translation>
            <numerusform>Gemeten op %n apart gehouden verzoek.</numerusform>
            <numerusform>Gemeten op %n apart gehouden verzoeken.</numerusform>
        </translation>
    </message>
    <message>
        <source>After: {score}.</source>
        <translation>Erna: {score}.</translation>
    </message>
    <message>
        <source>Before: {before}. After: {after}.</source>
        <translation>Ervoor: {before}. Erna: {after}.</translation>
    </message>
    <message>
        <source>Step {step} of {steps} · {spent} of at most {limit}</source>
        <translation>Stap {step} van {steps} · {spent} van hoogstens {limit}</translation>
    </message>
    <message>
        <source>{count} MB</source>
        <translation>{count} MB</translation>
    </message>
</context>
<context>
    <name>TrainingPage</name>
    <message>
        <source>Once training is set up, its windows, its jobs and what came of them stand here.</source>
        <translation>Zodra training is ingesteld, staan hier haar momenten, haar taken en wat ze opleverden.</translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation>Taken</translation>
    </message>
    <message>
        <source>Each practises on some of your requests, is measured, and can be paused at any time.</source>
        <translation>Elke taak oefent op enkele van je verzoeken, wordt gemeten en kan altijd gepauzeerd worden.</translation>
    </message>
    <message>
        <source>No job yet. The first begins in the next window.</source>
        <translation>Nog geen taak. De eerste begint op het volgende trainingsmoment.</translation>
    </message>
    <message>
        <source>What was trained</source>
        <translation>Wat er getraind is</translation>
    </message>
    <message>
        <source>Each is an adapter: a small file that changes how its model answers.</source>
        <translation>Elk is een adapter: een klein bestand dat verandert hoe zijn model antwoordt.</translation>
    </message>
    <message>
        <source>Nothing yet. What a job has trained stands here, with how much better it is.</source>
        <translation>Nog niets. Wat een taak getraind heeft, staat hier, met hoeveel beter het is.</translation>
    </message>
    <message>
        <source>Windows</source>
        <translation>Trainingsmomenten</translation>
    </message>
    <message>
        <source>When training was allowed to run, and why it began and ended.</source>
        <translation>Wanneer er getraind mocht worden, en waarom het begon en eindigde.</translation>
    </message>
    <message>
        <source>There was none yet.</source>
        <translation>Er was er nog geen.</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Curves of the job of {when}</source>
        <translation>Verloop van de taak van {when}</translation>
    </message>
    <message>
        <source>Stop this job?</source>
        <translation>Deze taak stoppen?</translation>
    </message>
    <message>
        <source>What it has learnt up to its last checkpoint is kept. It does not go on by itself.</source>
        <translation>Wat tot het laatste tussenpunt geleerd is, blijft bewaard. De taak gaat niet vanzelf verder.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>Where shall it be written?</source>
        <translation>Waar moet het naartoe geschreven worden?</translation>
    </message>
    <message numerus="yes">
        <source>Written to {folder}: %n file(s).</source>
        <translation>
            <numerusform>Geschreven naar {folder}: %n bestand.</numerusform>
            <numerusform>Geschreven naar {folder}: %n bestanden.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TrialSheet</name>
    <message>
        <source>Conversations</source>
        <translation>Gesprekken</translation>
    </message>
    <message>
        <source>It is put in front of every other conversation that it fits. Comparing the two halves shows whether it helps. You decide afterwards.</source>
        <translation>Ze gaat mee met om het andere gesprek waar ze bij past. De vergelijking laat zien of ze helpt. Daarna beslis jij.</translation>
    </message>
    <message>
        <source>Try “{name}” first?</source>
        <translation>“{name}” eerst proberen?</translation>
    </message>
    <message>
        <source>Start the trial</source>
        <translation>Proef starten</translation>
    </message>
</context>
<context>
    <name>TryingStep</name>
    <message>
        <source>A request is seen</source>
        <translation>Een verzoek komt aan</translation>
    </message>
    <message>
        <source>Once you train a model, it can be trained while you are in a meeting. Calendars are connected in the settings, under “While you are away”.</source>
        <translation>Zodra je een model traint, kan dat gebeuren terwijl je in een afspraak zit. Agenda’s verbind je bij de instellingen, onder “Terwijl je weg bent”.</translation>
    </message>
    <message>
        <source>Calendar, later</source>
        <translation>Agenda, later</translation>
    </message>
    <message>
        <source>See that it works</source>
        <translation>Zie dat het werkt</translation>
    </message>
    <message>
        <source>Ask your agent anything, as you always do.</source>
        <translation>Vraag je agent iets, zoals je altijd doet.</translation>
    </message>
    <message>
        <source>It works</source>
        <translation>Het werkt</translation>
    </message>
    <message>
        <source>{name} asked {when}, and its request went through.</source>
        <translation>{name} vroeg iets ({when}), en het verzoek ging door.</translation>
    </message>
    <message>
        <source>No agent is connected yet: go back one or two steps.</source>
        <translation>Er is nog geen agent verbonden: ga een of twee stappen terug.</translation>
    </message>
    <message>
        <source>Waiting…</source>
        <translation>Wacht…</translation>
    </message>
    <message>
        <source>Nothing came yet. As soon as an agent asks for something, it is said here.</source>
        <translation>Er kwam nog niets. Zodra een agent iets vraagt, zie je het hier.</translation>
    </message>
</context>
<context>
    <name>UnifiedDiff</name>
    <message>
        <source>What changed, line by line</source>
        <translation>Wat er veranderde, regel voor regel</translation>
    </message>
</context>
<context>
    <name>UpstreamCard</name>
    <message>
        <source>Asking for its models…</source>
        <translation>Vraagt om de modellen…</translation>
    </message>
    <message>
        <source>It answers, in {time} ms.</source>
        <translation>Antwoordt, in {time} ms.</translation>
    </message>
    <message>
        <source>Models: {names}</source>
        <translation>Modellen: {names}</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>en nog %n</numerusform>
            <numerusform>en nog %n</numerusform>
        </translation>
    </message>
    <message>
        <source>Agents use it</source>
        <translation>Voor agents</translation>
    </message>
    <message>
        <source>Learning uses it</source>
        <translation>Voor leren</translation>
    </message>
    <message>
        <source>Key missing</source>
        <translation>Sleutel ontbreekt</translation>
    </message>
    <message>
        <source>{model}, run by this app on this machine. Nothing leaves, nothing costs.</source>
        <translation>{model}, door deze app op deze computer uitgevoerd. Niets gaat naar buiten, niets kost iets.</translation>
    </message>
    <message>
        <source>key kept</source>
        <translation>sleutel bewaard</translation>
    </message>
    <message>
        <source>no key yet</source>
        <translation>nog geen sleutel</translation>
    </message>
    <message>
        <source>each agent&apos;s own key</source>
        <translation>eigen sleutel van elke agent</translation>
    </message>
    <message>
        <source>no key needed</source>
        <translation>geen sleutel nodig</translation>
    </message>
    <message>
        <source>the model that is asked for</source>
        <translation>het model waarom gevraagd wordt</translation>
    </message>
    <message>
        <source>then {name}</source>
        <translation>daarna {name}</translation>
    </message>
    <message>
        <source>Use for agents</source>
        <translation>Gebruiken</translation>
    </message>
    <message>
        <source>Stop using it</source>
        <translation>Niet gebruiken</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Testen</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>Wijzigen…</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>Verwijderen…</translation>
    </message>
</context>
<context>
    <name>UpstreamDialog</name>
    <message>
        <source>Change {name}</source>
        <translation>{name} wijzigen</translation>
    </message>
    <message>
        <source>Add a provider</source>
        <translation>Aanbieder toevoegen</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Opslaan</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Toevoegen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuleren</translation>
    </message>
    <message>
        <source>Another one</source>
        <translation>Andere</translation>
    </message>
    <message>
        <source>Chat Completions: most programs and servers</source>
        <translation>Chat Completions: de meeste programma’s en servers</translation>
    </message>
    <message>
        <source>Messages: Anthropic and Claude Code</source>
        <translation>Messages: Anthropic en Claude Code</translation>
    </message>
    <message>
        <source>Responses: OpenAI&apos;s newer one, and Codex</source>
        <translation>Responses: het nieuwere van OpenAI, en Codex</translation>
    </message>
    <message>
        <source>None is needed</source>
        <translation>Geen nodig</translation>
    </message>
    <message>
        <source>A key that is kept here</source>
        <translation>Een sleutel die hier bewaard wordt</translation>
    </message>
    <message>
        <source>Each agent sends its own</source>
        <translation>Elke agent stuurt zijn eigen</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Sleutel</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Geen</translation>
    </message>
    <message>
        <source>read</source>
        <translation>gelezen</translation>
    </message>
    <message>
        <source>Price of a million tokens that are read</source>
        <translation>Prijs van een miljoen gelezen tokens</translation>
    </message>
    <message>
        <source>written</source>
        <translation>geschreven</translation>
    </message>
    <message>
        <source>Price of a million tokens that are written</source>
        <translation>Prijs van een miljoen geschreven tokens</translation>
    </message>
    <message>
        <source>One is kept. Leave this empty to keep it.</source>
        <translation>Er is er een bewaard. Laat leeg om die te houden.</translation>
    </message>
    <message>
        <source>It goes to the system&apos;s keyring, is sent to this address only, and never shown.</source>
        <translation>Gaat naar de sleutelbos van het systeem, wordt alleen naar dit adres gestuurd en nooit getoond.</translation>
    </message>
    <message>
        <source>Forget the key</source>
        <translation>Sleutel vergeten</translation>
    </message>
    <message>
        <source>Which one</source>
        <translation>Welke</translation>
    </message>
    <message>
        <source>A name for it</source>
        <translation>Een naam ervoor</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adres</translation>
    </message>
    <message>
        <source>Up to where the protocol&apos;s path begins: …/v1</source>
        <translation>Tot waar het pad van het protocol begint: …/v1</translation>
    </message>
    <message>
        <source>Protocols that it speaks</source>
        <translation>Protocollen die het spreekt</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Model</translation>
    </message>
    <message>
        <source>Asked for whatever the agent asks for. Empty: as asked.</source>
        <translation>Gevraagd, wat de agent ook vraagt. Leeg: zoals gevraagd.</translation>
    </message>
    <message>
        <source>Names of models</source>
        <translation>Namen van modellen</translation>
    </message>
    <message>
        <source>One per line: what agents ask for = what it is called there. * stands for any rest.</source>
        <translation>Eén per regel: wat agents vragen = hoe het daar heet. * staat voor elke rest.</translation>
    </message>
    <message>
        <source>When it is away</source>
        <translation>Als deze weg is</translation>
    </message>
    <message>
        <source>Asked instead, if it speaks the same.</source>
        <translation>In plaats daarvan gevraagd, als die hetzelfde spreekt.</translation>
    </message>
    <message>
        <source>Price of a million tokens, in USD</source>
        <translation>Prijs van een miljoen tokens, in USD</translation>
    </message>
    <message>
        <source>What is read, and what is written. Only where it is not known already.</source>
        <translation>Wat gelezen en wat geschreven wordt. Alleen waar het niet al bekend is.</translation>
    </message>
    <message>
        <source>Give it a name.</source>
        <translation>Geef een naam op.</translation>
    </message>
    <message>
        <source>“{line}” is not like a = b.</source>
        <translation>“{line}” heeft niet de vorm a = b.</translation>
    </message>
</context>
<context>
    <name>Waits</name>
    <message>
        <source>The first steps are not done yet.</source>
        <translation>De eerste stappen zijn nog niet gedaan.</translation>
    </message>
    <message>
        <source>Nothing can be served yet.</source>
        <translation>Er kan nog niets beantwoord worden.</translation>
    </message>
    <message>
        <source>Choose a model and connect an agent; it takes two minutes.</source>
        <translation>Kies een model en verbind een agent; het kost twee minuten.</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Verder</translation>
    </message>
    <message>
        <source>Begin</source>
        <translation>Beginnen</translation>
    </message>
    <message>
        <source>Agents cannot be answered before one is chosen.</source>
        <translation>Zolang er geen gekozen is, krijgen agents geen antwoord.</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>Model kiezen</translation>
    </message>
    <message>
        <source>No model is chosen.</source>
        <translation>Er is geen model gekozen.</translation>
    </message>
    <message>
        <source>Nothing is learnt before one is chosen. It may be the one that answers your agents.</source>
        <translation>Zolang er geen gekozen is, wordt er niets geleerd. Het mag het model zijn dat je agents antwoordt.</translation>
    </message>
    <message>
        <source>Learning has no model.</source>
        <translation>Leren heeft geen model.</translation>
    </message>
    <message>
        <source>Look at it…</source>
        <translation>Bekijken…</translation>
    </message>
    <message>
        <source>Not in force yet: {settings}.</source>
        <translation>Nog niet van kracht: {settings}.</translation>
    </message>
    <message>
        <source>The settings file was edited by hand.</source>
        <translation>Het instellingenbestand is met de hand bewerkt.</translation>
    </message>
    <message>
        <source>Take me there</source>
        <translation>Breng me erheen</translation>
    </message>
    <message>
        <source>Something needs a hand.</source>
        <translation>Er is iets wat je aandacht vraagt.</translation>
    </message>
    <message>
        <source>“{name}”</source>
        <translation>“{name}”</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>nog %n</numerusform>
            <numerusform>nog %n</numerusform>
        </translation>
    </message>
    <message>
        <source>Review</source>
        <translation>Bekijken</translation>
    </message>
    <message numerus="yes">
        <source>%n proposal(s) wait for your review.</source>
        <translation>
            <numerusform>%n voorstel wacht op je beoordeling.</numerusform>
            <numerusform>%n voorstellen wachten op je beoordeling.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Window</name>
    <message>
        <source>{title} (Ctrl+{number})</source>
        <translation>{title} (Ctrl+{number})</translation>
    </message>
</context>
<context>
    <name>Wording</name>
    <message>
        <source>The menu of the tray icon has it under Review.</source>
        <translation>In het menu van het pictogram staat het onder Bekijken.</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>en nog %n</numerusform>
            <numerusform>en nog %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thing(s) to review</source>
        <translation>
            <numerusform>%n punt om te bekijken</numerusform>
            <numerusform>%n punten om te bekijken</numerusform>
        </translation>
    </message>
    <message>
        <source>Review</source>
        <translation>Bekijken</translation>
    </message>
    <message>
        <source>A new skill: {name}</source>
        <translation>Nieuwe vaardigheid: {name}</translation>
    </message>
    <message>
        <source>A skill to retire: {name}</source>
        <translation>Vaardigheid om te archiveren: {name}</translation>
    </message>
    <message>
        <source>A changed skill: {name}</source>
        <translation>Gewijzigde vaardigheid: {name}</translation>
    </message>
    <message>
        <source>Approve…</source>
        <translation>Goedkeuren…</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>The window has it under Training.</source>
        <translation>In het venster staat het onder Training.</translation>
    </message>
    <message>
        <source>Training has begun</source>
        <translation>De training is begonnen</translation>
    </message>
    <message numerus="yes">
        <source>Trained for %n minute(s)</source>
        <translation>
            <numerusform>%n minuut getraind</numerusform>
            <numerusform>%n minuten getraind</numerusform>
        </translation>
    </message>
    <message>
        <source>held-out score {before} → {after}</source>
        <translation>score op apart gehouden verzoeken {before} → {after}</translation>
    </message>
    <message>
        <source>Training pauses</source>
        <translation>Training gepauzeerd</translation>
    </message>
    <message>
        <source>Training failed</source>
        <translation>Training mislukt</translation>
    </message>
    <message>
        <source>Training was stopped</source>
        <translation>Training gestopt</translation>
    </message>
    <message>
        <source>Training is done</source>
        <translation>Training klaar</translation>
    </message>
    <message>
        <source>during a meeting</source>
        <translation>tijdens een afspraak</translation>
    </message>
    <message>
        <source>while you were away</source>
        <translation>terwijl je weg was</translation>
    </message>
    <message>
        <source>in the night</source>
        <translation>in de nacht</translation>
    </message>
    <message>
        <source>because you asked</source>
        <translation>omdat je erom vroeg</translation>
    </message>
    <message>
        <source>during “{title}”</source>
        <translation>tijdens “{title}”</translation>
    </message>
    <message>
        <source>({begin} to {end})</source>
        <translation>({begin} tot {end})</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>Kijken</translation>
    </message>
    <message>
        <source>MetaClaw Tray needs a hand</source>
        <translation>MetaClaw Tray vraagt je aandacht</translation>
    </message>
    <message>
        <source>The window says more.</source>
        <translation>In het venster staat meer.</translation>
    </message>
    <message>
        <source>{agent} talks through MetaClaw Tray</source>
        <translation>{agent} werkt via MetaClaw Tray</translation>
    </message>
    <message>
        <source>Start it when you log in, so that {agent} always finds it?</source>
        <translation>Starten als je inlogt, zodat {agent} het altijd vindt?</translation>
    </message>
    <message>
        <source>Start at log-in</source>
        <translation>Starten bij inloggen</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Niet nu</translation>
    </message>
    <message>
        <source>The settings have it under Start at log-in.</source>
        <translation>Bij de instellingen staat het onder “Starten als ik inlog”.</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message numerus="yes">
        <source>%n exchange(s) today</source>
        <translation>
            <numerusform>%n uitwisseling vandaag</numerusform>
            <numerusform>%n uitwisselingen vandaag</numerusform>
        </translation>
    </message>
    <message>
        <source>no model chosen yet</source>
        <translation>nog geen model gekozen</translation>
    </message>
    <message>
        <source>observe only</source>
        <translation>alleen meekijken</translation>
    </message>
    <message>
        <source>training now</source>
        <translation>traint nu</translation>
    </message>
    <message>
        <source>learning rests until {time}</source>
        <translation>leren rust tot {time}</translation>
    </message>
    <message>
        <source>learning rests</source>
        <translation>leren rust</translation>
    </message>
    <message>
        <source>learning now</source>
        <translation>leert nu</translation>
    </message>
    <message>
        <source>learning waits</source>
        <translation>leren wacht</translation>
    </message>
    <message>
        <source>next window {time}</source>
        <translation>volgend trainingsmoment {time}</translation>
    </message>
    <message>
        <source>next window {time}, {why}</source>
        <translation>volgend trainingsmoment {time}, {why}</translation>
    </message>
    <message>
        <source>meeting</source>
        <translation>afspraak</translation>
    </message>
    <message>
        <source>you are away</source>
        <translation>je bent weg</translation>
    </message>
    <message>
        <source>night</source>
        <translation>nacht</translation>
    </message>
    <message>
        <source>you asked</source>
        <translation>je vroeg erom</translation>
    </message>
    <message>
        <source>Change: {name}</source>
        <translation>Wijziging: {name}</translation>
    </message>
    <message>
        <source>Retire: {name}</source>
        <translation>Archiveren: {name}</translation>
    </message>
    <message>
        <source>Changed outside: {name}</source>
        <translation>Buitenom gewijzigd: {name}</translation>
    </message>
    <message numerus="yes">
        <source>%n thing(s) to look at</source>
        <translation>
            <numerusform>%n punt om te bekijken</numerusform>
            <numerusform>%n punten om te bekijken</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thing(s) to review</source>
        <translation>
            <numerusform>%n punt om te bekijken</numerusform>
            <numerusform>%n punten om te bekijken</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Worth</name>
    <message>
        <source>What else is known</source>
        <translation>Wat er verder bekend is</translation>
    </message>
    <message>
        <source>It did not come to an answer that could be judged.</source>
        <translation>Het kwam niet tot een antwoord dat beoordeeld kon worden.</translation>
    </message>
    <message>
        <source>You went on after it; it waits to be judged by that.</source>
        <translation>Je ging erna verder; daaraan wordt het nog beoordeeld.</translation>
    </message>
    <message>
        <source>Not judged: an answer is judged by what you say next, and you said nothing to it yet.</source>
        <translation>Niet beoordeeld: een antwoord wordt beoordeeld aan wat jij daarna zegt, en daarop zei je nog niets.</translation>
    </message>
    <message>
        <source>A skill was written from this exchange and waits for you:</source>
        <translation>Uit deze uitwisseling is een vaardigheid geschreven die op je wacht:</translation>
    </message>
    <message>
        <source>This exchange taught a skill:</source>
        <translation>Deze uitwisseling leerde een vaardigheid:</translation>
    </message>
    <message>
        <source>A skill was written from this exchange and not taken up:</source>
        <translation>Uit deze uitwisseling is een vaardigheid geschreven die niet is overgenomen:</translation>
    </message>
</context>
<context>
    <name>WrongAnswer</name>
    <message>
        <source>What was wrong?</source>
        <translation>Wat was er fout?</translation>
    </message>
    <message>
        <source>For example: always write amounts with the currency.</source>
        <translation>Bijvoorbeeld: schrijf bedragen altijd met de valuta.</translation>
    </message>
    <message>
        <source>What should be done differently</source>
        <translation>Wat anders moet</translation>
    </message>
    <message>
        <source>The last answer that {agent} got, at {time}.</source>
        <translation>Het laatste antwoord dat {agent} kreeg, om {time}.</translation>
    </message>
    <message>
        <source>A sentence on what to do differently helps most: one such note is enough to propose a skill. You can also leave it empty.</source>
        <translation>Een zin over wat anders moet, helpt het meest: één zo’n opmerking is genoeg om een vaardigheid voor te stellen. Je mag het ook leeg laten.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuleren</translation>
    </message>
    <message>
        <source>It was wrong</source>
        <translation>Het was fout</translation>
    </message>
</context>
<context>
    <name>WrongSheet</name>
    <message>
        <source>What was wrong?</source>
        <translation>Wat was er fout?</translation>
    </message>
    <message>
        <source>For example: always write amounts with the currency.</source>
        <translation>Bijvoorbeeld: schrijf bedragen altijd met de valuta.</translation>
    </message>
    <message>
        <source>What should be done differently</source>
        <translation>Wat anders moet</translation>
    </message>
    <message>
        <source>A sentence on what to do differently helps most: one such note is enough to propose a skill. You can also leave it empty.</source>
        <translation>Een zin over wat anders moet, helpt het meest: één zo’n opmerking is genoeg om een vaardigheid voor te stellen. Je mag het ook leeg laten.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuleren</translation>
    </message>
    <message>
        <source>It was wrong</source>
        <translation>Het was fout</translation>
    </message>
    <message>
        <source>The answer to {agent}, {when}.</source>
        <translation>Het antwoord aan {agent}, {when}.</translation>
    </message>
</context>
<context>
    <name>_ConnectDialog</name>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuleren</translation>
    </message>
</context>
<context>
    <name>_Entry</name>
    <message>
        <source>{who}, {way}</source>
        <translation>{who}, {way}</translation>
    </message>
    <message>
        <source>{what}, version {number}</source>
        <translation>{what}, versie {number}</translation>
    </message>
    <message>
        <source>What it did</source>
        <translation>Wat het deed</translation>
    </message>
    <message>
        <source>taken back</source>
        <translation>teruggedraaid</translation>
    </message>
    <message>
        <source>Undo…</source>
        <translation>Ongedaan maken…</translation>
    </message>
    <message>
        <source>Undo: {what}</source>
        <translation>Ongedaan maken: {what}</translation>
    </message>
    <message>
        <source>No text that is in use changed by it.</source>
        <translation>Geen tekst die in gebruik is, veranderde erdoor.</translation>
    </message>
    <message>
        <source>It is taken back.</source>
        <translation>Het is teruggedraaid.</translation>
    </message>
</context>
<context>
    <name>_Figure</name>
    <message>
        <source>{share} % of today&apos;s limit</source>
        <translation>{share} % van de grens van vandaag</translation>
    </message>
</context>
<context>
    <name>_LearningCard</name>
    <message>
        <source>Provider for learning</source>
        <translation>Aanbieder voor leren</translation>
    </message>
    <message>
        <source>Model for learning</source>
        <translation>Leermodel</translation>
    </message>
    <message>
        <source>Name of the model</source>
        <translation>Naam van het model</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>Instellen</translation>
    </message>
    <message>
        <source>And one to learn with</source>
        <translation>En een om mee te leren</translation>
    </message>
    <message>
        <source>Learning reads what went wrong and writes skills. It may be the same; a strong one writes better. Without one, nothing is learnt and nothing is spent.</source>
        <translation>Leren leest wat misging en schrijft vaardigheden. Het mag hetzelfde zijn; een sterk model schrijft betere. Zonder wordt er niets geleerd en niets uitgegeven.</translation>
    </message>
    <message>
        <source>None for now</source>
        <translation>Voorlopig geen</translation>
    </message>
    <message>
        <source>Learning asks {model} of {name}.</source>
        <translation>Leren vraagt {model} van {name}.</translation>
    </message>
    <message>
        <source>Nothing is learnt for now.</source>
        <translation>Er wordt voorlopig niets geleerd.</translation>
    </message>
</context>
<context>
    <name>_ProblemBox</name>
    <message>
        <source>Close</source>
        <translation>Sluiten</translation>
    </message>
    <message>
        <source>Take me there</source>
        <translation>Breng me erheen</translation>
    </message>
</context>
<context>
    <name>_Progress</name>
    <message>
        <source>How far the job is</source>
        <translation>Hoe ver de taak is</translation>
    </message>
</context>
<context>
    <name>_Sheet</name>
    <message>
        <source>Cancel</source>
        <translation>Annuleren</translation>
    </message>
</context>
<context>
    <name>_Status</name>
    <message numerus="yes">
        <source>%n thing(s) to look at</source>
        <translation>
            <numerusform>%n punt om te bekijken</numerusform>
            <numerusform>%n punten om te bekijken</numerusform>
        </translation>
    </message>
    <message>
        <source>No model yet</source>
        <translation>Nog geen model</translation>
    </message>
    <message>
        <source>Agents cannot be served before a model is chosen.</source>
        <translation>Zolang er geen model gekozen is, krijgen agents geen antwoord.</translation>
    </message>
    <message>
        <source>Serving</source>
        <translation>Werkt</translation>
    </message>
    <message>
        <source>The app does not answer</source>
        <translation>De app antwoordt niet</translation>
    </message>
</context>
<context>
    <name>_Upstream</name>
    <message>
        <source>None</source>
        <translation>Geen</translation>
    </message>
</context>
<context>
    <name>parent</name>
    <message>
        <source>Add a calendar</source>
        <translation>Agenda toevoegen</translation>
    </message>
    <message>
        <source>Add a Google account</source>
        <translation>Google-account toevoegen</translation>
    </message>
</context>
</TS>
