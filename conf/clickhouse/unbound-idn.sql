-- The log (log: json) of any number of resolvers, for ClickHouse 18.16. See doc/fleet.md.
-- clickhouse-client --multiquery < unbound-idn.sql
CREATE DATABASE IF NOT EXISTS unbound_idn;

-- Lines as the module writes them, with "host.name" added. The two views below read them; they are not stored.
CREATE TABLE IF NOT EXISTS unbound_idn.lines (line String) ENGINE = Null;

-- An absent member is '' or an empty list. Delete a day with: ALTER TABLE unbound_idn.replies DROP PARTITION '2026-11-26'
CREATE TABLE IF NOT EXISTS unbound_idn.replies
(
    time DateTime('UTC'),
    resolver String,
    client String,             -- an address, or the network that a forwarder names
    name String,               -- in the DNS: lower case, A-labels
    display String,            -- in Unicode, if all its labels are safe to show
    type String,
    class String,
    rcode String,
    security String,
    ede String,                -- the info code of an extended error (RFC 8914)
    action String,
    rule String,
    match String,
    key String,
    target String,
    mode String,               -- 'log-only' or 'observed': the answer was not changed
    tags Array(String),
    findings Array(String),    -- of its A-labels
    idn UInt8,                 -- 1: the name has a label with xn--
    changed UInt8,             -- 1: a rule changed the answer
    lookalike UInt8,           -- 1: a look-alike rule matched
    microseconds UInt64        -- 0: unknown
)
ENGINE = MergeTree PARTITION BY toDate(time, 'UTC') ORDER BY (resolver, time);

CREATE MATERIALIZED VIEW IF NOT EXISTS unbound_idn.parser TO unbound_idn.replies AS
SELECT
    parseDateTimeBestEffortOrZero(visitParamExtractString(line, '@timestamp')) AS time,
    visitParamExtractString(line, 'host.name') AS resolver,
    concat(visitParamExtractString(line, 'client.ip'), visitParamExtractString(line, 'client.address')) AS client,
    visitParamExtractString(line, 'dns.question.name') AS name,
    visitParamExtractString(line, 'dns.question.name_unicode') AS display,
    visitParamExtractString(line, 'dns.question.type') AS type,
    visitParamExtractString(line, 'dns.question.class') AS class,
    visitParamExtractString(line, 'dns.response_code') AS rcode,
    visitParamExtractString(line, 'unbound.security') AS security,
    visitParamExtractRaw(line, 'dns.ede.info_code') AS ede,
    visitParamExtractString(line, 'policy.action') AS action,
    visitParamExtractString(line, 'policy.rule') AS rule,
    visitParamExtractString(line, 'policy.match') AS match,
    visitParamExtractString(line, 'policy.key') AS key,
    visitParamExtractString(line, 'policy.target') AS target,
    visitParamExtractString(line, 'policy.mode') AS mode,
    extractAll(visitParamExtractRaw(line, 'tags'), '"([^"]*)"') AS tags,
    -- "lookalike" is the result of a rule, not a property of the name.
    arrayFilter(word -> word != 'lookalike', arrayDistinct(extractAll(arrayStringConcat(extractAll(visitParamExtractRaw(line, 'idn.labels'),
        '"a":"xn--[^"]*",(?:"u":"[^"]*",)?"status":"[a-z]*","reason":\\[([^\\]]*)\\]'), ','), '"([^"]*)"'))) AS findings,
    match(name, '(^|[.])xn--') AS idn,
    action NOT IN ('', 'log', 'passthru') AND mode = '' AS changed,
    match(match, '^lookalikes? ') AS lookalike,
    intDiv(visitParamExtractUInt(line, 'event.duration'), 1000) AS microseconds
FROM unbound_idn.lines
WHERE visitParamExtractString(line, 'event.dataset') = 'unbound_idn.log' AND endsWith(line, '}');

-- Lines that are not a reply, or only a part of one.
CREATE TABLE IF NOT EXISTS unbound_idn.unread (came DateTime('UTC'), line String) ENGINE = MergeTree PARTITION BY toDate(came, 'UTC') ORDER BY came;

CREATE MATERIALIZED VIEW IF NOT EXISTS unbound_idn.rest TO unbound_idn.unread AS
SELECT now() AS came, line FROM unbound_idn.lines
WHERE NOT (visitParamExtractString(line, 'event.dataset') = 'unbound_idn.log' AND endsWith(line, '}'));

-- The replies that report.sql counts: all. For a day, or one resolver, drop this view and create it with a WHERE.
CREATE VIEW IF NOT EXISTS unbound_idn.reported AS SELECT * FROM unbound_idn.replies;
