-- The tables of version 1.0, as tables.py and tables_library.py describe them (a test holds the two together), and the triggers
-- that make the rules on claims hold whatever the program does.

CREATE TABLE generation (
    number INTEGER NOT NULL,
    why VARCHAR NOT NULL,
    ledger_id VARCHAR,
    at BIGINT NOT NULL,
    PRIMARY KEY (number)
);

CREATE TABLE injection (
    anchor BLOB NOT NULL,
    session_id VARCHAR NOT NULL,
    block VARCHAR NOT NULL,
    skills JSON NOT NULL,
    tokens INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (anchor, session_id)
);

CREATE INDEX ix_injection_at ON injection (at);

CREATE TABLE ledger (
    id VARCHAR NOT NULL,
    at BIGINT NOT NULL,
    action VARCHAR NOT NULL,
    subject VARCHAR NOT NULL,
    actor VARCHAR NOT NULL,
    channel VARCHAR NOT NULL,
    ancestry JSON NOT NULL,
    "before" JSON NOT NULL,
    "after" JSON NOT NULL,
    generation INTEGER,
    undone_by VARCHAR,
    PRIMARY KEY (id)
);

CREATE INDEX ix_ledger_at ON ledger (at);

CREATE TABLE message (
    id BLOB NOT NULL,
    role VARCHAR NOT NULL,
    body BLOB NOT NULL,
    size INTEGER NOT NULL,
    redactions INTEGER NOT NULL,
    PRIMARY KEY (id)
);

CREATE TABLE meta (
    "key" VARCHAR NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY ("key")
);

CREATE TABLE node (
    id BLOB NOT NULL,
    parent BLOB,
    message_id BLOB NOT NULL,
    depth INTEGER NOT NULL,
    PRIMARY KEY (id)
);

CREATE INDEX ix_node_parent ON node (parent);

CREATE TABLE notice (
    id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    subject VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    count INTEGER NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (id)
);

CREATE INDEX ix_notice_at ON notice (at);

CREATE INDEX notice_subject ON notice (kind, subject, at);

CREATE TABLE proposal (
    id VARCHAR NOT NULL,
    op VARCHAR NOT NULL,
    skill VARCHAR NOT NULL,
    base_version INTEGER NOT NULL,
    text VARCHAR NOT NULL,
    why VARCHAR NOT NULL,
    exchanges JSON NOT NULL,
    run_id VARCHAR,
    state VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    created_at BIGINT NOT NULL,
    decided_at BIGINT,
    PRIMARY KEY (id)
);

CREATE INDEX ix_proposal_created_at ON proposal (created_at);

CREATE INDEX ix_proposal_skill ON proposal (skill);

CREATE INDEX ix_proposal_state ON proposal (state);

CREATE TABLE run (
    id VARCHAR NOT NULL,
    cluster VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    exchanges JSON NOT NULL,
    model VARCHAR NOT NULL,
    started_at BIGINT NOT NULL,
    ended_at BIGINT,
    PRIMARY KEY (id)
);

CREATE INDEX ix_run_started_at ON run (started_at);

CREATE TABLE session (
    id VARCHAR NOT NULL,
    agent VARCHAR NOT NULL,
    root BLOB NOT NULL,
    started_at BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    ended_at BIGINT,
    end_reason VARCHAR,
    PRIMARY KEY (id)
);

CREATE INDEX ix_session_agent ON session (agent);

CREATE INDEX ix_session_started_at ON session (started_at);

CREATE TABLE skill (
    name VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    source VARCHAR NOT NULL,
    trust VARCHAR NOT NULL,
    version INTEGER NOT NULL,
    changed_at BIGINT NOT NULL,
    PRIMARY KEY (name)
);

CREATE TABLE spend (
    id VARCHAR NOT NULL,
    purpose VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    reserved_usd FLOAT NOT NULL,
    settled_usd FLOAT,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (id)
);

CREATE INDEX ix_spend_at ON spend (at);

CREATE TABLE exchange (
    id VARCHAR NOT NULL,
    session_id VARCHAR NOT NULL,
    agent VARCHAR NOT NULL,
    opening BLOB NOT NULL,
    lineage VARCHAR NOT NULL,
    generation INTEGER NOT NULL,
    started_at BIGINT NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (session_id, opening),
    FOREIGN KEY(session_id) REFERENCES session (id)
);

CREATE INDEX ix_exchange_generation ON exchange (generation);

CREATE INDEX ix_exchange_opening ON exchange (opening);

CREATE INDEX ix_exchange_session_id ON exchange (session_id);

CREATE INDEX ix_exchange_started_at ON exchange (started_at);

CREATE TABLE gateresult (
    proposal_id VARCHAR NOT NULL,
    passed BOOLEAN NOT NULL,
    requests INTEGER NOT NULL,
    with_skill FLOAT NOT NULL,
    without_skill FLOAT NOT NULL,
    unscored INTEGER NOT NULL,
    details JSON NOT NULL,
    reason VARCHAR NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (proposal_id),
    FOREIGN KEY(proposal_id) REFERENCES proposal (id)
);

CREATE TABLE generationmember (
    generation INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (generation, name),
    FOREIGN KEY(generation) REFERENCES generation (number)
);

CREATE TABLE skillversion (
    name VARCHAR NOT NULL,
    version INTEGER NOT NULL,
    text VARCHAR NOT NULL,
    digest VARCHAR NOT NULL,
    description VARCHAR NOT NULL,
    proposal_id VARCHAR,
    at BIGINT NOT NULL,
    PRIMARY KEY (name, version),
    FOREIGN KEY(name) REFERENCES skill (name)
);

CREATE TABLE claim (
    exchange_id VARCHAR NOT NULL,
    use VARCHAR NOT NULL,
    opening VARCHAR NOT NULL,
    lineage VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (exchange_id),
    CONSTRAINT claim_use CHECK (use IN ('support', 'train', 'holdout_skill', 'holdout_policy')),
    FOREIGN KEY(exchange_id) REFERENCES exchange (id)
);

CREATE INDEX ix_claim_opening ON claim (opening);

CREATE TABLE evidence (
    id VARCHAR NOT NULL,
    exchange_id VARCHAR NOT NULL,
    turn_id VARCHAR,
    kind VARCHAR NOT NULL,
    value INTEGER NOT NULL,
    origin VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(exchange_id) REFERENCES exchange (id)
);

CREATE INDEX ix_evidence_at ON evidence (at);

CREATE INDEX ix_evidence_exchange_id ON evidence (exchange_id);

CREATE TABLE turn (
    id VARCHAR NOT NULL,
    exchange_id VARCHAR,
    session_id VARCHAR NOT NULL,
    agent VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    outcome VARCHAR NOT NULL,
    dialect VARCHAR NOT NULL,
    upstream VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    status INTEGER NOT NULL,
    error VARCHAR NOT NULL,
    request_node BLOB NOT NULL,
    answer_node BLOB,
    system_id BLOB,
    settings_id BLOB,
    generation INTEGER NOT NULL,
    retry_of VARCHAR,
    next_turn_id VARCHAR,
    next_origin VARCHAR NOT NULL,
    finish_reason VARCHAR NOT NULL,
    input_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    usage_estimated BOOLEAN NOT NULL,
    truncated BOOLEAN NOT NULL,
    begun_at BIGINT NOT NULL,
    first_byte_at BIGINT,
    ended_at BIGINT,
    PRIMARY KEY (id),
    FOREIGN KEY(exchange_id) REFERENCES exchange (id),
    FOREIGN KEY(session_id) REFERENCES session (id)
);

CREATE INDEX ix_turn_answer_node ON turn (answer_node);

CREATE INDEX ix_turn_begun_at ON turn (begun_at);

CREATE INDEX ix_turn_exchange_id ON turn (exchange_id);

CREATE INDEX turn_in_session ON turn (session_id, id);

CREATE INDEX turn_on_path ON turn (request_node, session_id, id);

CREATE INDEX turn_open ON turn (id) WHERE outcome = 'open';

CREATE TABLE due (
    turn_id VARCHAR NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (turn_id),
    FOREIGN KEY(turn_id) REFERENCES turn (id)
);

CREATE TABLE verdict (
    id VARCHAR NOT NULL,
    turn_id VARCHAR NOT NULL,
    exchange_id VARCHAR NOT NULL,
    score INTEGER,
    votes JSON NOT NULL,
    reason VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    instruction VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (turn_id),
    FOREIGN KEY(turn_id) REFERENCES turn (id),
    FOREIGN KEY(exchange_id) REFERENCES exchange (id)
);

CREATE INDEX ix_verdict_at ON verdict (at);

CREATE INDEX ix_verdict_exchange_id ON verdict (exchange_id);

CREATE INDEX verdict_teaches ON verdict (id) WHERE score = -1 OR instruction <> '';


CREATE TRIGGER claim_is_insert_only BEFORE UPDATE ON claim
BEGIN
    SELECT RAISE(ABORT, 'claims are never changed');
END;

CREATE TRIGGER claim_is_for_ever BEFORE DELETE ON claim
BEGIN
    SELECT RAISE(ABORT, 'claims are never removed');
END;

-- One claim per exchange (INSERT OR REPLACE included), and two exchanges on one path never serve two uses,
-- whichever was claimed first.
CREATE TRIGGER claim_bars_its_path BEFORE INSERT ON claim
WHEN EXISTS (
    SELECT 1 FROM claim AS other
    WHERE other.exchange_id = NEW.exchange_id
       OR other.use <> NEW.use
      AND (instr(NEW.lineage, other.opening) > 0 OR instr(other.lineage, NEW.opening) > 0)
)
BEGIN
    SELECT RAISE(ABORT, 'it, or an exchange on its path, is claimed already');
END;

-- A claim says of its exchange what the exchange says of itself.
CREATE TRIGGER claim_matches_its_exchange BEFORE INSERT ON claim
WHEN NOT EXISTS (
    SELECT 1 FROM exchange
    WHERE exchange.id = NEW.exchange_id
      AND exchange.lineage = NEW.lineage
      AND lower(hex(substr(exchange.opening, 1, 8))) = NEW.opening
)
BEGIN
    SELECT RAISE(ABORT, 'the claim does not match its exchange');
END;
