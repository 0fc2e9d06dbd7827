-- The figures of `unbound-idn report --json` for the replies in unbound_idn.reported, in UTC. Rows with equal counts are sorted
-- by their texts. Look-alikes of one registrable domain, which the report joins, have a row each.
-- clickhouse-client --multiquery --format PrettyCompact < report.sql

-- totals
SELECT count() AS queries, sum(idn) AS idn, sum(action != '') AS ruled, sum(changed) AS changed, sum(lookalike) AS lookalike
FROM unbound_idn.reported;

-- resolvers
SELECT resolver, count() AS queries, sum(idn) AS idn, sum(action != '') AS ruled, sum(changed) AS changed, sum(lookalike) AS lookalike
FROM unbound_idn.reported GROUP BY resolver ORDER BY resolver;

-- unread
SELECT count() AS lines FROM unbound_idn.unread;

-- time: at most 200 rows, from Monday 1969-12-29 on in steps of a second to a year of 52 weeks
WITH
    259200 AS monday,
    (SELECT min(toUInt32(time)) FROM unbound_idn.reported) AS first,
    (SELECT max(toUInt32(time)) FROM unbound_idn.reported) AS last,
    arrayFirst(width -> intDiv(last + monday, width) - intDiv(first + monday, width) < 200,
        [1, 5, 15, 60, 300, 600, 1800, 3600, 10800, 21600, 43200, 86400, 604800, 2419200, 31449600]) AS step
SELECT toDateTime(intDiv(toUInt32(time) + monday, step) * step - monday, 'UTC') AS start,
    count() AS queries, sum(idn) AS idn, sum(changed) AS changed
FROM unbound_idn.reported GROUP BY start ORDER BY start;

-- look_alikes
SELECT if(target = '', name, target) AS name, match, key, action, mode, count() AS queries
FROM unbound_idn.reported WHERE lookalike GROUP BY name, match, key, action, mode ORDER BY queries DESC, name, match, key, action, mode LIMIT 1000;

-- look_alike_clients
SELECT if(target = '', name, target) AS name, match, key, action, mode, client, count() AS queries
FROM unbound_idn.reported WHERE lookalike AND client != ''
GROUP BY name, match, key, action, mode, client ORDER BY queries DESC, name, match, key, action, mode, client LIMIT 1000;

-- blocked: names whose answers a rule changed, or would have changed without its mode
SELECT name, rule, action, mode, count() AS queries
FROM unbound_idn.reported WHERE action NOT IN ('', 'log', 'passthru')
GROUP BY name, rule, action, mode ORDER BY queries DESC, name, rule, action, mode LIMIT 1000;

-- rules
SELECT rule, action, mode, count() AS queries
FROM unbound_idn.reported WHERE action != '' GROUP BY rule, action, mode ORDER BY queries DESC, rule, action, mode LIMIT 1000;

-- matches
SELECT rule, action, mode, match, count() AS queries
FROM unbound_idn.reported WHERE action != '' GROUP BY rule, action, mode, match ORDER BY queries DESC, rule, action, mode, match LIMIT 1000;

-- tags
SELECT tag, count() AS queries, sum(changed) AS changed
FROM unbound_idn.reported ARRAY JOIN tags AS tag GROUP BY tag ORDER BY queries DESC, tag LIMIT 1000;

-- names
SELECT name, count() AS queries, sum(changed) AS changed
FROM unbound_idn.reported GROUP BY name ORDER BY queries DESC, name LIMIT 1000;

-- answers
SELECT answer.1 AS what, answer.2 AS value, count() AS queries, sum(changed) AS changed
FROM unbound_idn.reported
ARRAY JOIN arrayFilter(part -> part.2 != '', [('response code', rcode), ('validation', security), ('extended error', ede)]) AS answer
GROUP BY what, value ORDER BY queries DESC, what, value LIMIT 1000;

-- idn_names
SELECT name, any(display) AS display, count() AS queries, sum(changed) AS changed
FROM unbound_idn.reported WHERE idn GROUP BY name ORDER BY queries DESC, name LIMIT 1000;

-- findings: 'ok' if there is none
SELECT finding, count() AS queries
FROM unbound_idn.reported ARRAY JOIN if(empty(findings), ['ok'], findings) AS finding
WHERE idn GROUP BY finding ORDER BY queries DESC, finding;

-- clients
SELECT client, count() AS queries, sum(idn) AS idn, sum(changed) AS changed
FROM unbound_idn.reported WHERE client != '' GROUP BY client ORDER BY queries DESC, client LIMIT 1000;
