<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>Actions</name>
    <message numerus="yes">
        <source>“{name}” comes back in %n day(s).</source>
        <translation>
            <numerusform>“{name}” comes back in %n day.</numerusform>
            <numerusform>“{name}” comes back in %n days.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>“{name}” is on trial for %n conversation(s).</source>
        <translation>
            <numerusform>“{name}” is on trial for %n conversation.</numerusform>
            <numerusform>“{name}” is on trial for %n conversations.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Agreements</name>
    <message numerus="yes">
        <source>Import %n skill(s)?</source>
        <translation>
            <numerusform>Import %n skill?</numerusform>
            <numerusform>Import %n skills?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BringSheet</name>
    <message numerus="yes">
        <source>Import %n skill(s)…</source>
        <translation>
            <numerusform>Import %n skill…</numerusform>
            <numerusform>Import %n skills…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CalendarLine</name>
    <message numerus="yes">
        <source>%n event(s) in these weeks</source>
        <translation>
            <numerusform>%n event in these weeks</numerusform>
            <numerusform>%n events in these weeks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>training may run in %n of them</source>
        <translation>
            <numerusform>training may run in %n of them</numerusform>
            <numerusform>training may run in %n of them</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n could not be read</source>
        <translation>
            <numerusform>%n could not be read</numerusform>
            <numerusform>%n could not be read</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Conversations</name>
    <message numerus="yes">
        <source>%n found</source>
        <translation>
            <numerusform>%n found</numerusform>
            <numerusform>%n found</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n skill(s)</source>
        <translation>
            <numerusform>%n skill</numerusform>
            <numerusform>%n skills</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Course</name>
    <message numerus="yes">
        <source>%n message(s) were said before in this conversation.</source>
        <translation>
            <numerusform>%n message was said before in this conversation.</numerusform>
            <numerusform>%n messages were said before in this conversation.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n earlier answer(s) are left out here.</source>
        <translation>
            <numerusform>%n earlier answer is left out here.</numerusform>
            <numerusform>%n earlier answers are left out here.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n earlier answer(s)</source>
        <translation>
            <numerusform>%n earlier answer</numerusform>
            <numerusform>%n earlier answers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DataSection</name>
    <message numerus="yes">
        <source>What is older than %n day(s)</source>
        <translation>
            <numerusform>What is older than %n day</numerusform>
            <numerusform>What is older than %n days</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n exchange(s) would be gone for good.</source>
        <translation>
            <numerusform>%n exchange would be gone for good.</numerusform>
            <numerusform>%n exchanges would be gone for good.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposal(s) that rest on them would be withdrawn.</source>
        <translation>
            <numerusform>%n proposal that rests on them would be withdrawn.</numerusform>
            <numerusform>%n proposals that rest on them would be withdrawn.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n skill(s) learnt from them stay.</source>
        <translation>
            <numerusform>%n skill learnt from them stays.</numerusform>
            <numerusform>%n skills learnt from them stay.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Gone: %n exchange(s).</source>
        <translation>
            <numerusform>Gone: %n exchange.</numerusform>
            <numerusform>Gone: %n exchanges.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Detail</name>
    <message numerus="yes">
        <source>%n answer(s)</source>
        <translation>
            <numerusform>%n answer</numerusform>
            <numerusform>%n answers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n errand(s) of the agent&apos;s own beside it</source>
        <translation>
            <numerusform>%n errand of the agent&apos;s own beside it</numerusform>
            <numerusform>%n errands of the agent&apos;s own beside it</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Editor</name>
    <message numerus="yes">
        <source>about %n token(s)</source>
        <translation>
            <numerusform>about %n token</numerusform>
            <numerusform>about %n tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EffectTab</name>
    <message numerus="yes">
        <source>It fitted %n conversation(s) so far.</source>
        <translation>
            <numerusform>It fitted %n conversation so far.</numerusform>
            <numerusform>It fitted %n conversations so far.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n exchange(s)</source>
        <translation>
            <numerusform>%n exchange</numerusform>
            <numerusform>%n exchanges</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Entries</name>
    <message numerus="yes">
        <source>%n thing(s) to look at…</source>
        <translation>
            <numerusform>%n thing to look at…</numerusform>
            <numerusform>%n things to look at…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Review %n new skill(s)</source>
        <translation>
            <numerusform>Review %n new skill</numerusform>
            <numerusform>Review %n new skills</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Review %n change(s)</source>
        <translation>
            <numerusform>Review %n change</numerusform>
            <numerusform>Review %n changes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EvidenceTab</name>
    <message numerus="yes">
        <source>%n earlier answer(s) of the agent are left out here.</source>
        <translation>
            <numerusform>%n earlier answer of the agent is left out here.</numerusform>
            <numerusform>%n earlier answers of the agent are left out here.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Figures</name>
    <message numerus="yes">
        <source>with %n agent(s)</source>
        <translation>
            <numerusform>with %n agent</numerusform>
            <numerusform>with %n agents</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n different skill(s)</source>
        <translation>
            <numerusform>%n different skill</numerusform>
            <numerusform>%n different skills</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n judged, {good} helped</source>
        <translation>
            <numerusform>%n judged, {good} helped</numerusform>
            <numerusform>%n judged, {good} helped</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ForgetSheet</name>
    <message numerus="yes">
        <source>%n request(s) with their answers, verdicts and thumbs</source>
        <translation>
            <numerusform>%n request with its answers, verdicts and thumbs</numerusform>
            <numerusform>%n requests with their answers, verdicts and thumbs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) that nothing else needs</source>
        <translation>
            <numerusform>%n message that nothing else needs</numerusform>
            <numerusform>%n messages that nothing else needs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposed skill(s) learnt from it, withdrawn</source>
        <translation>
            <numerusform>%n proposed skill learnt from it, withdrawn</numerusform>
            <numerusform>%n proposed skills learnt from it, withdrawn</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n copy(s) of the record made before updates</source>
        <translation>
            <numerusform>%n copy of the record made before an update</numerusform>
            <numerusform>%n copies of the record made before updates</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) that later requests were made with</source>
        <translation>
            <numerusform>%n message that later requests were made with</numerusform>
            <numerusform>%n messages that later requests were made with</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n request(s) that are still under way</source>
        <translation>
            <numerusform>%n request that is still under way</numerusform>
            <numerusform>%n requests that are still under way</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Head</name>
    <message numerus="yes">
        <source>Used in %n exchange(s)</source>
        <translation>
            <numerusform>Used in %n exchange</numerusform>
            <numerusform>Used in %n exchanges</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Moments</name>
    <message numerus="yes">
        <source>%n minute(s) ago</source>
        <translation>
            <numerusform>%n minute ago</numerusform>
            <numerusform>%n minutes ago</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ProofTab</name>
    <message numerus="yes">
        <source>worse on %n</source>
        <translation>
            <numerusform>worse on %n</numerusform>
            <numerusform>worse on %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>no difference on %n</source>
        <translation>
            <numerusform>no difference on %n</numerusform>
            <numerusform>no difference on %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of all these were invented, the others were your own</source>
        <translation>
            <numerusform>%n of all these was invented, the others were your own</numerusform>
            <numerusform>%n of all these were invented, the others were your own</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Harm: none on %n request(s) that went well before.</source>
        <translation>
            <numerusform>Harm: none on %n request that went well before.</numerusform>
            <numerusform>Harm: none on %n requests that went well before.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n others</source>
        <translation>
            <numerusform>The other one</numerusform>
            <numerusform>All %n others</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>QuitDialog</name>
    <message numerus="yes">
        <source>%n agent(s) talked through it in the last 15 minutes: {names}. If you quit, they get no answers.</source>
        <translation>
            <numerusform>%n agent talked through it in the last 15 minutes: {names}. If you quit, it gets no answers.</numerusform>
            <numerusform>%n agents talked through it in the last 15 minutes: {names}. If you quit, they get no answers.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message numerus="yes">
        <source>day(s)</source>
        <translation>
            <numerusform>day</numerusform>
            <numerusform>days</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SkillsPage</name>
    <message numerus="yes">
        <source>%n proposal(s) wait for you.</source>
        <translation>
            <numerusform>%n proposal waits for you.</numerusform>
            <numerusform>%n proposals wait for you.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TextTab</name>
    <message numerus="yes">
        <source>about %n token(s)</source>
        <translation>
            <numerusform>about %n token</numerusform>
            <numerusform>about %n tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Today</name>
    <message numerus="yes">
        <source>{agents}: %n exchange(s)</source>
        <translation>
            <numerusform>{agents}: %n exchange</numerusform>
            <numerusform>{agents}: %n exchanges</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>You put %n answer(s) right.</source>
        <translation>
            <numerusform>You put %n answer right.</numerusform>
            <numerusform>You put %n answers right.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>You were pleased with %n.</source>
        <translation>
            <numerusform>You were pleased with %n.</numerusform>
            <numerusform>You were pleased with %n.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposal(s) came of what was learnt.</source>
        <translation>
            <numerusform>%n proposal came of what was learnt.</numerusform>
            <numerusform>%n proposals came of what was learnt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n skill(s) came into use.</source>
        <translation>
            <numerusform>%n skill came into use.</numerusform>
            <numerusform>%n skills came into use.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n exchange(s) with {agent}.</source>
        <translation>
            <numerusform>%n exchange with {agent}.</numerusform>
            <numerusform>%n exchanges with {agent}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n exchange(s): {agents}.</source>
        <translation>
            <numerusform>%n exchange: {agents}.</numerusform>
            <numerusform>%n exchanges: {agents}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them had a skill to go by: {skills}.</source>
        <translation>
            <numerusform>%n of them had a skill to go by: {skills}.</numerusform>
            <numerusform>%n of them had a skill to go by: {skills}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n answer(s) were judged</source>
        <translation>
            <numerusform>%n answer was judged</numerusform>
            <numerusform>%n answers were judged</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n helped</source>
        <translation>
            <numerusform>%n helped</numerusform>
            <numerusform>%n helped</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n did not</source>
        <translation>
            <numerusform>%n did not</numerusform>
            <numerusform>%n did not</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n answer(s) failed at the model&apos;s side</source>
        <translation>
            <numerusform>%n answer failed at the model&apos;s side</numerusform>
            <numerusform>%n answers failed at the model&apos;s side</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n answer(s) were cut in the middle</source>
        <translation>
            <numerusform>%n answer was cut in the middle</numerusform>
            <numerusform>%n answers were cut in the middle</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n time(s) the agent left before the answer was there</source>
        <translation>
            <numerusform>%n time the agent left before the answer was there</numerusform>
            <numerusform>%n times the agent left before the answer was there</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n answer(s) were under way when the app ended</source>
        <translation>
            <numerusform>%n answer was under way when the app ended</numerusform>
            <numerusform>%n answers were under way when the app ended</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n record(s) were not kept: the app was too busy</source>
        <translation>
            <numerusform>%n record was not kept: the app was too busy</numerusform>
            <numerusform>%n records were not kept: the app was too busy</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n answer(s) could not be judged</source>
        <translation>
            <numerusform>%n answer could not be judged</numerusform>
            <numerusform>%n answers could not be judged</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Learning had to wait, %n time(s)</source>
        <translation>
            <numerusform>Learning had to wait, %n time</numerusform>
            <numerusform>Learning had to wait, %n times</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thing(s) were turned down</source>
        <translation>
            <numerusform>%n thing was turned down</numerusform>
            <numerusform>%n things were turned down</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n skill file(s) were changed outside the app</source>
        <translation>
            <numerusform>%n skill file was changed outside the app</numerusform>
            <numerusform>%n skill files were changed outside the app</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n fault(s)</source>
        <translation>
            <numerusform>%n fault</numerusform>
            <numerusform>%n faults</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Told</name>
    <message numerus="yes">
        <source>%n more earlier</source>
        <translation>
            <numerusform>%n more earlier</numerusform>
            <numerusform>%n more earlier</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n call</numerusform>
            <numerusform>%n calls</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Training</name>
    <message numerus="yes">
        <source>trained on %n request(s)</source>
        <translation>
            <numerusform>trained on %n request</numerusform>
            <numerusform>trained on %n requests</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n step</numerusform>
            <numerusform>%n steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Measured on %n request(s) kept aside.</source>
        <translation>
            <numerusform>Measured on %n request kept aside.</numerusform>
            <numerusform>Measured on %n requests kept aside.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TrainingPage</name>
    <message numerus="yes">
        <source>Written to {folder}: %n file(s).</source>
        <translation>
            <numerusform>Written to {folder}: %n file.</numerusform>
            <numerusform>Written to {folder}: %n files.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>UpstreamCard</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Waits</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposal(s) wait for your review.</source>
        <translation>
            <numerusform>%n proposal waits for your review.</numerusform>
            <numerusform>%n proposals wait for your review.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Wording</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thing(s) to review</source>
        <translation>
            <numerusform>%n thing to review</numerusform>
            <numerusform>%n things to review</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Trained for %n minute(s)</source>
        <translation>
            <numerusform>Trained for %n minute</numerusform>
            <numerusform>Trained for %n minutes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message numerus="yes">
        <source>%n exchange(s) today</source>
        <translation>
            <numerusform>%n exchange today</numerusform>
            <numerusform>%n exchanges today</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thing(s) to look at</source>
        <translation>
            <numerusform>%n thing to look at</numerusform>
            <numerusform>%n things to look at</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thing(s) to review</source>
        <translation>
            <numerusform>%n thing to review</numerusform>
            <numerusform>%n things to review</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_Status</name>
    <message numerus="yes">
        <source>%n thing(s) to look at</source>
        <translation>
            <numerusform>%n thing to look at</numerusform>
            <numerusform>%n things to look at</numerusform>
        </translation>
    </message>
</context>
</TS>
