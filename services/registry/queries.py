"""Every statement that the registry sends, by name; they are made of constants of this module and of nothing else."""

from typing import Final

from services.database.proven import Proven

_MS: Final = "floor(date_part('epoch', {}) * 1000)::bigint"
_AT: Final = _MS.format("at")

# -- switches

# A transaction that waited for this lock, or for an adjustment's, with an older snapshot fails at the key of its row.
SWITCH_LOCK: Final = "SELECT pg_advisory_xact_lock(7304)"
_SWITCH: Final = f"number, scope, subject, off, reason, actor, {_AT}"
SWITCH_OF_REQUEST: Final = f"SELECT digest, {_SWITCH} FROM switches WHERE request_key = %s"
SWITCH_NOW: Final = f"SELECT {_SWITCH} FROM switches WHERE scope = %s AND subject = %s ORDER BY number DESC LIMIT 1"
RECORD_SWITCH: Final = (
    "INSERT INTO switches (number, scope, subject, off, reason, actor, request_key, digest)"
    " SELECT coalesce(max(number), 0) + 1, %s, %s, %s, %s, %s, %s, %s::bytea FROM switches"
    f" RETURNING {_SWITCH}"
)
SWITCHED_OFF: Final = f"""
SELECT * FROM (
    SELECT DISTINCT ON (scope, subject) {_SWITCH} FROM switches
    WHERE (scope, subject) IN (('house', ''), ('game', %s), ('table', %s), ('player', %s))
    ORDER BY scope, subject, number DESC
) AS s WHERE off AND (scope = 'player' OR NOT %s) ORDER BY number LIMIT 1
"""
SWITCHES_AFTER: Final = f"SELECT {_SWITCH} FROM switches WHERE number > %s ORDER BY number LIMIT %s"


def _newest_first(query: str, number: str) -> str:
    """Return a query of rows after a number, in its order, as one of rows before it, in the reverse order."""
    assert query.count(f"{number} > %s") == query.count(f"ORDER BY {number} LIMIT") == 1, query
    return query.replace(f"{number} > %s", f"{number} < %s").replace(
        f"ORDER BY {number} LIMIT", f"ORDER BY {number} DESC LIMIT"
    )


SWITCHES: Final = f"""
SELECT * FROM (SELECT DISTINCT ON (scope, subject) {_SWITCH} FROM switches ORDER BY scope, subject, number DESC) AS s
WHERE (off OR NOT %s) AND number > %s ORDER BY number LIMIT %s
"""
NEWEST_SWITCHES: Final = _newest_first(SWITCHES, "number")

# -- limits

# A row that is rewritten instead of an advisory lock: the checked rows are elsewhere, so nothing else would abort a
# transaction with an older snapshot.
PLAYER_LOCK: Final = "SELECT take_turn(%s)"
_LIMIT: Final = "number, player, kind, span, currency, set_by, amount, effective_ms, made_ms, reason, actor"
LIMIT_OF_REQUEST: Final = f"SELECT digest, {_LIMIT} FROM limits WHERE request_key = %s"
# Two players' limits at the same moment take the same number; the unique key aborts the later one, which retries.
RECORD_LIMIT: Final = (
    "INSERT INTO limits (number, player, kind, span, currency, set_by, amount, effective_ms, made_ms, reason, actor,"
    " request_key, digest) SELECT coalesce(max(number), 0) + 1, %s, %s, %s, %s, %s, %s::bigint, %s::bigint, %s::bigint,"
    f" %s, %s, %s, %s::bytea FROM limits RETURNING {_LIMIT}"
)
# A record that was not yet in force when a newer one of the same limit was made never comes into force.
_STANDS: Final = """NOT EXISTS (
    SELECT FROM limits n WHERE (n.player, n.kind, n.span, n.currency, n.set_by)
        = (l.player, l.kind, l.span, l.currency, l.set_by) AND n.number > l.number AND n.made_ms < l.effective_ms
)"""
# In force at a moment: of each limit the newest record whose time has come.
LIMITS_IN_FORCE: Final = f"""
SELECT DISTINCT ON (player, kind, span, currency, set_by) {_LIMIT} FROM limits l
WHERE player = ANY(%s) AND effective_ms <= %s AND {_STANDS} ORDER BY player, kind, span, currency, set_by, number DESC
"""
LIMITS_TO_COME: Final = (
    f"SELECT {_LIMIT} FROM limits l WHERE player = %s AND effective_ms > %s AND {_STANDS} ORDER BY number LIMIT 1000"
)
PLAYERS_WITH_LIMITS: Final = "SELECT DISTINCT player FROM limits WHERE player = ANY(%s)"

# -- adjustments

_ADJUSTMENT: Final = (
    "a.number, a.adjustment_id::text, a.player, a.currency, a.amount, a.reason, a.asked_by, "
    + _MS.format("a.at")
    + ", CASE WHEN d.approved THEN 'approved' WHEN NOT d.approved THEN 'rejected' ELSE 'pending' END,"
    " coalesce(d.decided_by, ''), coalesce(d.reason, ''), coalesce("
    + _MS.format("d.at")
    + ", 0), coalesce(d.entry_id::text, '')"
)
_ADJUSTMENTS: Final = (
    f"SELECT {_ADJUSTMENT} FROM adjustments a LEFT JOIN adjustment_decisions d ON d.adjustment_id = a.adjustment_id"
)
ADJUSTMENT: Final = f"{_ADJUSTMENTS} WHERE a.adjustment_id = %s::uuid"
ADJUSTMENTS: Final = (
    f"{_ADJUSTMENTS} WHERE a.number > %s AND (%s = '' OR a.player = %s) AND (NOT %s OR d.adjustment_id IS NULL)"
    " ORDER BY a.number LIMIT %s"
)
NEWEST_ADJUSTMENTS: Final = _newest_first(ADJUSTMENTS, "a.number")
ADJUSTMENT_OF_REQUEST: Final = "SELECT digest, adjustment_id::text FROM adjustments WHERE request_key = %s"
APPROVAL_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 7305))"
ASK_ADJUSTMENT: Final = (
    "INSERT INTO adjustments (adjustment_id, player, currency, amount, reason, asked_by, request_key, digest)"
    " VALUES (%s::uuid, %s, %s, %s::bigint, %s, %s, %s, %s::bytea) ON CONFLICT (request_key) DO NOTHING"
)
DECISION_OF_REQUEST: Final = "SELECT digest, adjustment_id::text FROM adjustment_decisions WHERE request_key = %s"
DECIDE_ADJUSTMENT: Final = (
    "INSERT INTO adjustment_decisions (adjustment_id, approved, reason, decided_by, entry_id, request_key, digest)"
    " VALUES (%s::uuid, %s, %s, %s, %s::uuid, %s, %s::bytea)"
)

# -- voids

_VOID: Final = (
    "v.number, v.void_id::text, v.table_id::text, v.round, v.version, v.currency, v.at_risk, v.reason, v.asked_by, "
    + _MS.format("v.at")
    + ", CASE WHEN d.approved THEN 'approved' WHEN NOT d.approved THEN 'rejected' ELSE 'pending' END,"
    " coalesce(d.decided_by, ''), coalesce(d.reason, ''), coalesce(" + _MS.format("d.at") + ", 0)"
)
_VOIDS: Final = f"SELECT {_VOID} FROM void_requests v LEFT JOIN void_decisions d ON d.void_id = v.void_id"
VOID: Final = f"{_VOIDS} WHERE v.void_id = %s::uuid"
VOIDS: Final = (
    f"{_VOIDS} WHERE v.number > %s AND (%s::uuid IS NULL OR v.table_id = %s::uuid)"
    " AND (NOT %s OR d.void_id IS NULL) ORDER BY v.number LIMIT %s"
)
NEWEST_VOIDS: Final = _newest_first(VOIDS, "v.number")
VOID_LOCK: Final = "SELECT take_turn(%s)"
VOID_WAITING: Final = (
    f"{_VOIDS} WHERE v.table_id = %s::uuid AND v.round = %s AND d.void_id IS NULL ORDER BY v.number LIMIT 1"
)
VOID_OF_REQUEST: Final = "SELECT digest, void_id::text FROM void_requests WHERE request_key = %s"
ASK_VOID: Final = (
    "INSERT INTO void_requests (void_id, table_id, round, version, currency, at_risk, reason, asked_by, request_key,"
    " digest) VALUES (%s::uuid, %s::uuid, %s, %s, %s, %s, %s, %s, %s, %s::bytea) ON CONFLICT (request_key) DO NOTHING"
)
VOID_DECISION_OF_REQUEST: Final = "SELECT digest, void_id::text FROM void_decisions WHERE request_key = %s"
DECIDE_VOID: Final = (
    "INSERT INTO void_decisions (void_id, approved, reason, decided_by, request_key, digest)"
    " VALUES (%s::uuid, %s, %s, %s, %s, %s::bytea)"
)

# -- keys of players

_KEY: Final = "SELECT key_id, player, wrapped FROM player_keys"
KEY_OF_PLAYER: Final = f"{_KEY} WHERE player = %s"
KEYS_BY_ID: Final = f"{_KEY} WHERE key_id = ANY(%s)"
RECORD_KEY: Final = "INSERT INTO player_keys (key_id, player, wrapped) VALUES (%s, %s, %s::bytea)"
KEYS_WRAPPED_OTHERWISE: Final = (
    f"{_KEY} WHERE substring(wrapped for octet_length(%s::bytea)) <> %s::bytea ORDER BY key_id LIMIT %s"
)
REWRAP_KEY: Final = "SELECT rewrap_player_key(%s, %s::bytea, %s::bytea)"
DESTROY_KEY: Final = "SELECT destroy_player_key(%s::uuid)"
TOMBSTONES: Final = (
    f"SELECT number, key_id, player, asked_by, decided_by, {_AT} FROM player_erasures"
    " WHERE number > %s ORDER BY number LIMIT %s"
)
LAST_TOMBSTONE: Final = "SELECT coalesce(max(number), 0) FROM player_erasures"
REAPPLY_ERASURE: Final = "SELECT reapply_erasure(%s, %s, %s, %s)"

# -- erasures: asked for by one person, decided by another

_ERASURE: Final = (
    "a.number, a.erasure_id::text, a.player, a.reason, a.asked_by, "
    + _MS.format("a.at")
    + ", CASE WHEN d.approved THEN 'approved' WHEN NOT d.approved THEN 'rejected' ELSE 'pending' END,"
    " coalesce(d.decided_by, ''), coalesce(d.reason, ''), coalesce(" + _MS.format("d.at") + ", 0)"
)
_ERASURES: Final = (
    f"SELECT {_ERASURE} FROM erasure_requests a LEFT JOIN erasure_decisions d ON d.erasure_id = a.erasure_id"
)
ERASURE: Final = f"{_ERASURES} WHERE a.erasure_id = %s::uuid"
ERASURES: Final = (
    f"{_ERASURES} WHERE a.number > %s AND (%s = '' OR a.player = %s) AND (NOT %s OR d.erasure_id IS NULL)"
    " ORDER BY a.number LIMIT %s"
)
ERASURE_OF_REQUEST: Final = "SELECT digest, erasure_id::text FROM erasure_requests WHERE request_key = %s"
ASK_ERASURE: Final = (
    "INSERT INTO erasure_requests (number, erasure_id, player, reason, asked_by, request_key, digest)"
    " SELECT coalesce(max(number), 0) + 1, %s::uuid, %s, %s, %s, %s, %s::bytea FROM erasure_requests"
    " ON CONFLICT (request_key) DO NOTHING"
)
ERASURE_DECISION_OF_REQUEST: Final = "SELECT digest, erasure_id::text FROM erasure_decisions WHERE request_key = %s"
DECIDE_ERASURE: Final = (
    "INSERT INTO erasure_decisions (erasure_id, approved, reason, decided_by, request_key, digest)"
    " VALUES (%s::uuid, %s, %s, %s, %s, %s::bytea)"
)

# -- significant events

RECORD_SIGNIFICANT: Final = (
    "INSERT INTO significant_events (kind, component, actor, subject, reason, before, after)"
    " VALUES (%s, %s, %s, %s, %s, %s, %s)"
)
_SIGNIFICANT: Final = f"kind, component, actor, subject, reason, before, after, number, {_AT}"
# By number alone: a record that is committed late keeps the place of its number.
SIGNIFICANT: Final = f"""
SELECT {_SIGNIFICANT} FROM significant_events
WHERE number > %s AND at >= to_timestamp(%s::numeric / 1000) AND at < to_timestamp(%s::numeric / 1000)
    AND (%s = '' OR kind = %s) ORDER BY number LIMIT %s
"""
NEWEST_SIGNIFICANT: Final = _newest_first(SIGNIFICANT, "number")
KNOWN_SIGNIFICANT: Final = "SELECT 1 FROM significant_events WHERE kind = %s AND subject = %s LIMIT 1"
LAST_SIGNIFICANT: Final = (
    f"SELECT {_SIGNIFICANT} FROM significant_events s WHERE kind = %s ORDER BY s.at DESC, number DESC LIMIT 1"
)

# -- figures of rounds

RECORD_CONFIGURATION: Final = (
    "INSERT INTO configurations (digest, game, rules_version, rules) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING"
)
RECORD_ROUND: Final = """
WITH whole AS (
    INSERT INTO rounds (table_id, round, round_id, game, family, configuration, currency, test, started_ms, ended_ms,
        voided, staked, won, fee, rake, house, pot)
    VALUES (%s::uuid, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
    ON CONFLICT DO NOTHING RETURNING table_id, round, game, currency, ended_ms, voided
)
INSERT INTO round_seats (table_id, round, seat, player, game, currency, ended_ms, voided, chips_before, staked, won,
    fee, chips_after)
SELECT w.table_id, w.round, s.seat, s.player, w.game, w.currency, w.ended_ms, w.voided, s.chips_before, s.staked, s.won,
    s.fee, s.chips_after
FROM whole w CROSS JOIN unnest(%s::int[], %s::text[], %s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[],
    %s::bigint[]) AS s (seat, player, chips_before, staked, won, fee, chips_after)
"""
RECORD_SHARE: Final = (
    "INSERT INTO pool_shares (table_id, seat, player, game, currency, test, ended_ms, chips)"
    " VALUES (%s::uuid, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING"
)
_PERIOD: Final = "CASE WHEN %s = '' THEN '' ELSE to_char(to_timestamp(ended_ms / 1000.0) AT TIME ZONE 'UTC', %s) END"
_SUMS: Final = """count(*) FILTER (WHERE NOT voided) AS rounds, count(*) FILTER (WHERE voided) AS voided,
        coalesce(sum(staked), 0)::text AS staked, coalesce(sum(won), 0)::text AS won,
        coalesce(sum(fee), 0)::text AS fee, coalesce(sum(rake), 0)::text AS rake,
        coalesce(sum(house), 0)::text AS house, coalesce(sum(pot), 0)::text AS pot,
        coalesce(CASE WHEN count(*) > 1 AND sum(staked) > 0 THEN sqrt(greatest(0, sum(won::float8 * won)
            - 2 * (sum(won) / sum(staked))::float8 * sum(won::float8 * staked)
            + ((sum(won) / sum(staked))::float8) ^ 2 * sum(staked::float8 * staked))
            * count(*) / (count(*) - 1)) / sum(staked)::float8 END, 0) AS return_error
    FROM rounds WHERE NOT test AND currency = %s AND ended_ms >= %s AND ended_ms < %s AND (%s = '' OR game = %s)"""
# Names are compared by their bytes, in every locale of the database: a page continues after the previous one.
PERFORMANCE: Final = f"""
SELECT s.period, s.game, s.configuration, c.rules_version, c.rules, s.rounds, s.voided, s.staked, s.won, s.fee, s.rake,
    s.house, s.pot, s.return_error
FROM (
    SELECT {_PERIOD} COLLATE "C" AS period, game COLLATE "C" AS game, configuration COLLATE "C" AS configuration,
        {_SUMS}
    GROUP BY 1, 2, 3
) AS s JOIN configurations c ON c.digest = s.configuration
WHERE (s.period, s.game, s.configuration) > (%s, %s, %s) ORDER BY s.period, s.game, s.configuration LIMIT %s
"""
TURNOVER: Final = f"""
SELECT s.period, s.game, '', 0, '', s.rounds, s.voided, s.staked, s.won, s.fee, s.rake, s.house, s.pot,
    s.return_error
FROM (SELECT {_PERIOD} COLLATE "C" AS period, game COLLATE "C" AS game, {_SUMS} GROUP BY 1, 2) AS s
WHERE (s.period, s.game) > (%s, %s) ORDER BY s.period, s.game LIMIT %s
"""
POOLS_TO_HOUSE: Final = (
    "SELECT coalesce(sum(chips), 0)::text FROM pool_shares"
    " WHERE seat = -1 AND NOT test AND currency = %s AND ended_ms >= %s AND ended_ms < %s"
)

PLAYER_GAMES: Final = """
SELECT game, count(*) FILTER (WHERE round > 0 AND NOT voided), sum(staked)::text, sum(won)::text, sum(fee)::text,
    sum(shares)::text
FROM (
    SELECT game, round, voided, staked, won, fee, 0 AS shares FROM round_seats
    WHERE player = %s AND currency = %s AND ended_ms >= %s AND ended_ms < %s
    UNION ALL
    SELECT game, 0, false, 0, 0, 0, chips FROM pool_shares
    WHERE player = %s AND currency = %s AND ended_ms >= %s AND ended_ms < %s
) AS all_of_them GROUP BY game ORDER BY game
"""
_PLAYED: Final = (
    "table_id::text, round, seat, player, game, ended_ms, voided, chips_before, staked, won, fee, chips_after"
)
PLAYED_ROUNDS: Final = f"""
SELECT {_PLAYED} FROM round_seats
WHERE player = %(player)s AND currency = %(currency)s AND ended_ms >= %(from_ms)s AND ended_ms < %(to_ms)s
    AND (%(game)s = '' OR game = %(game)s) AND (%(table)s::uuid IS NULL OR table_id = %(table)s::uuid)
    AND (ended_ms, table_id, round, seat) > (%(ended_ms)s, %(after_table)s::uuid, %(round)s, %(seat)s)
ORDER BY ended_ms, table_id, round, seat LIMIT %(limit)s
"""
NEWEST_ROUNDS: Final = PLAYED_ROUNDS.replace("round, seat) >", "round, seat) <").replace(
    "ORDER BY ended_ms, table_id, round, seat", "ORDER BY ended_ms DESC, table_id DESC, round DESC, seat DESC"
)
STAKED_AND_LOST: Final = (
    "SELECT coalesce(sum(staked), 0)::text, coalesce(sum(staked + fee - won), 0)::text FROM round_seats"
    " WHERE player = %s AND currency = %s AND ended_ms >= %s"
)

# -- the records of the registry that checkpoints prove, a line for each kind


def _proven(table: str, key: str, key_type: str, fields: str) -> Proven:
    ids = ("adjustment_id", "entry_id", "void_id", "table_id", "erasure_id")
    uuids = {name: f"r.{name}::text" for name in ids}
    return Proven(
        tree=table, table=table, key=key, key_type=key_type, fields=(*fields.split(), "at_us"), expressions=uuids
    )


def _figures(table: str, fields: str) -> Proven:
    # Without its moment: a row that is rebuilt from the log has the signed text.
    return Proven(
        tree=table,
        table=table,
        key="key",
        key_type="text",
        fields=("key", "table_id", *fields.split()),
        expressions={"table_id": "r.table_id::text"},
    )


PROVEN: Final = (
    _proven("switches", "number", "bigint", "number scope subject off reason actor request_key digest"),
    _proven(
        "limits",
        "number",
        "bigint",
        "number player kind span currency set_by amount effective_ms made_ms reason actor request_key digest",
    ),
    _proven(
        "adjustments",
        "adjustment_id",
        "uuid",
        "adjustment_id number player currency amount reason asked_by request_key digest",
    ),
    _proven(
        "adjustment_decisions",
        "adjustment_id",
        "uuid",
        "adjustment_id approved reason decided_by entry_id request_key digest",
    ),
    _proven(
        "void_requests",
        "void_id",
        "uuid",
        "void_id number table_id round version currency at_risk reason asked_by request_key digest",
    ),
    _proven("void_decisions", "void_id", "uuid", "void_id approved reason decided_by request_key digest"),
    _proven("erasure_requests", "erasure_id", "uuid", "erasure_id number player reason asked_by request_key digest"),
    _proven("erasure_decisions", "erasure_id", "uuid", "erasure_id approved reason decided_by request_key digest"),
    _proven("player_erasures", "number", "bigint", "number key_id player asked_by decided_by"),
    _proven("templates", "request_key", "text", "template_id version game terms reason proposed_by request_key digest"),
    _proven(
        "template_decisions", "request_key", "text", "template_id version approved reason decided_by request_key digest"
    ),
    _proven("template_retirements", "request_key", "text", "template_id version reason retired_by request_key digest"),
    _proven("significant_events", "number", "bigint", "number kind component actor subject reason before after"),
    _figures(
        "rounds",
        "round round_id game family configuration currency test started_ms ended_ms voided staked won fee rake house"
        " pot",
    ),
    _figures("round_seats", "round seat player game currency ended_ms voided chips_before staked won fee chips_after"),
    _figures("pool_shares", "seat player game currency test ended_ms chips"),
)

# -- table templates

TEMPLATE_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 7306))"
_TEMPLATE: Final = f"""
SELECT t.template_id, t.version, t.game, t.terms, t.reason, t.proposed_by,
    {_MS.format("t.at")} AS proposed_ms,
    CASE
        WHEN d.approved IS NULL AND t.version < n.newest THEN 'replaced'
        WHEN d.approved IS NULL THEN 'proposed'
        WHEN NOT d.approved THEN 'rejected'
        WHEN r.template_id IS NOT NULL THEN 'retired'
        WHEN t.version < n.approved THEN 'replaced'
        ELSE 'approved'
    END AS state,
    coalesce(d.decided_by, '') AS decided_by, coalesce(d.reason, '') AS decision,
    coalesce({_MS.format("d.at")}, 0) AS decided_ms,
    coalesce(r.retired_by, '') AS retired_by, coalesce(r.reason, '') AS retirement,
    coalesce({_MS.format("r.at")}, 0) AS retired_ms
FROM templates t
LEFT JOIN template_decisions d ON d.template_id = t.template_id AND d.version = t.version
LEFT JOIN template_retirements r ON r.template_id = t.template_id AND r.version = t.version
JOIN (
    SELECT a.template_id, max(a.version) AS newest, max(a.version) FILTER (WHERE b.approved) AS approved
    FROM templates a LEFT JOIN template_decisions b ON b.template_id = a.template_id AND b.version = a.version
    GROUP BY a.template_id
) AS n ON n.template_id = t.template_id
"""
TEMPLATE_VERSIONS: Final = f"SELECT * FROM ({_TEMPLATE} WHERE t.template_id = %s) AS s ORDER BY version DESC LIMIT %s"
TEMPLATE_VERSION: Final = f"{_TEMPLATE} WHERE t.template_id = %s AND t.version = %s"
TEMPLATE_IN_FORCE: Final = f"SELECT * FROM ({_TEMPLATE} WHERE t.template_id = %s) AS s WHERE state = 'approved'"
TEMPLATES: Final = f"""
SELECT * FROM ({_TEMPLATE}) AS s
WHERE (template_id COLLATE "C", version) > (%s, %s) AND (%s = '' OR state = %s)
    AND (cardinality(%s::text[]) = 0 OR game = ANY(%s))
ORDER BY template_id COLLATE "C", version LIMIT %s
"""
TEMPLATE_OF_REQUEST: Final = "SELECT digest, template_id, version FROM templates WHERE request_key = %s"
NEWEST_VERSION: Final = "SELECT coalesce(max(version), 0) FROM templates WHERE template_id = %s"
PROPOSE_TEMPLATE: Final = (
    "INSERT INTO templates (template_id, version, game, terms, reason, proposed_by, request_key, digest)"
    " VALUES (%s, %s, %s, %s, %s, %s, %s, %s::bytea)"
)
TEMPLATE_DECISION_OF_REQUEST: Final = (
    "SELECT digest, template_id, version FROM template_decisions WHERE request_key = %s"
)
DECIDE_TEMPLATE: Final = (
    "INSERT INTO template_decisions (template_id, version, approved, reason, decided_by, request_key, digest)"
    " VALUES (%s, %s, %s, %s, %s, %s, %s::bytea)"
)
RETIREMENT_OF_REQUEST: Final = "SELECT digest, template_id, version FROM template_retirements WHERE request_key = %s"
_RETIREMENT: Final = f"template_id, version, reason, retired_by, {_AT}"
RETIREMENT: Final = f"SELECT {_RETIREMENT} FROM template_retirements WHERE template_id = %s AND version = %s"
RETIREMENTS: Final = f"SELECT {_RETIREMENT} FROM template_retirements WHERE template_id = ANY(%s)"
RETIRE_TEMPLATE: Final = (
    "INSERT INTO template_retirements (template_id, version, reason, retired_by, request_key, digest)"
    " VALUES (%s, %s, %s, %s, %s, %s::bytea)"
)

# -- players who wait for a seat at any table

_SEAT_WAIT: Final = (
    "player, number, game, stake, currency, fits, test, until_ms, coalesce(offered_table::text, ''),"
    " coalesce(offered_seat, 0)"
)
# Those without an offer that a table fits: of its game, kind of money, stake, currency and template.
_FITTING: Final = (
    "game = %s AND test = %s AND offered_table IS NULL AND until_ms > %s AND stake IN (0, %s) AND currency IN ('', %s)"
    " AND %s = ANY(fits)"
)
SEAT_WAIT: Final = f"SELECT {_SEAT_WAIT} FROM seat_waits WHERE player = %s"
SEAT_WAITS_OF_PLAYERS: Final = f"SELECT {_SEAT_WAIT} FROM seat_waits WHERE player = ANY(%s) AND until_ms > %s"
SEAT_WAITS_OF_GAMES: Final = (
    f"SELECT {_SEAT_WAIT} FROM seat_waits WHERE game = ANY(%s) AND until_ms > %s ORDER BY game, number LIMIT %s"
)
FITTING_WAIT: Final = f"SELECT 1 FROM seat_waits WHERE {_FITTING} LIMIT 1"
# A row that another transaction offers a seat to is passed by, so that nobody is offered two.
LOCK_FITTING_WAIT: Final = (
    f"SELECT {_SEAT_WAIT} FROM seat_waits WHERE {_FITTING} AND player <> ALL(%s)"
    " ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED"
)
LOCK_SEAT_WAIT: Final = f"{SEAT_WAIT} FOR UPDATE"
JOIN_SEAT_WAITS: Final = (
    "INSERT INTO seat_waits (player, number, game, stake, currency, fits, test, until_ms)"
    " SELECT %s, coalesce(max(number), 0) + 1, %s, %s::bigint, %s, %s::text[], %s::boolean, %s::bigint FROM seat_waits"
)
RENEW_SEAT_WAIT: Final = "UPDATE seat_waits SET until_ms = %s WHERE player = %s AND offered_table IS NULL"
OFFER_SEAT: Final = (
    "UPDATE seat_waits SET offered_table = %s::uuid, offered_seat = %s, until_ms = %s"
    " WHERE player = %s AND offered_table IS NULL"
)
WITHDRAW_OFFERS: Final = (
    "UPDATE seat_waits SET offered_table = NULL, offered_seat = NULL, until_ms = %s WHERE offered_table = %s::uuid"
)
LEAVE_SEAT_WAITS: Final = "DELETE FROM seat_waits WHERE player = %s"
USE_OFFER: Final = "DELETE FROM seat_waits WHERE player = %s AND offered_table = %s::uuid"
END_SEAT_WAITS: Final = "DELETE FROM seat_waits WHERE until_ms <= %s"
OFFERING_TABLES: Final = "SELECT DISTINCT offered_table::text FROM seat_waits WHERE offered_table IS NOT NULL LIMIT %s"
OPEN_SEAT_WAITS: Final = (
    "SELECT DISTINCT game, stake, currency, fits, test FROM seat_waits"
    " WHERE offered_table IS NULL AND until_ms > %s LIMIT %s"
)
SEAT_WAIT_OF_REQUEST: Final = "SELECT digest, answer FROM seat_wait_requests WHERE request_key = %s"
RECORD_SEAT_WAIT_REQUEST: Final = (
    "INSERT INTO seat_wait_requests (request_key, digest, answer) VALUES (%s, %s::bytea, %s::bytea)"
)
