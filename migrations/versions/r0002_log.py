"""The event log: shards, streams, events, requests, and the one function that appends."""

from alembic import op

revision = "0002"
down_revision = "0001"

SHARDS = 16

TABLES = (
    # A shard's row is rewritten by every append; room on its page lets Postgres prune the old versions in passing.
    """
    CREATE TABLE shards (
        shard smallint PRIMARY KEY,
        head bigint NOT NULL DEFAULT 0 CHECK (head >= 0)
    ) WITH (fillfactor = 10, autovacuum_vacuum_threshold = 1000)
    """,
    f"INSERT INTO shards (shard) SELECT generate_series(0, {SHARDS - 1})",
    f"""
    CREATE FUNCTION shard_of(stream_id uuid) RETURNS smallint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (get_byte(uuid_send(stream_id), 15) % {SHARDS})::smallint
    """,
    """
    CREATE TABLE streams (
        stream_id uuid PRIMARY KEY,
        shard smallint NOT NULL,
        version bigint NOT NULL DEFAULT 0 CHECK (version >= 0),
        head_hash bytea NOT NULL CHECK (octet_length(head_hash) = 32),
        rebuild_version bigint NOT NULL DEFAULT 1,
        mark text NOT NULL DEFAULT '',
        summary jsonb,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
    ) WITH (fillfactor = 60)
    """,
    # No index holds a column that an ordinary append changes: such an append stays on its page (HOT).
    "CREATE INDEX streams_by_mark ON streams (mark, stream_id) WHERE mark <> ''",
    "CREATE INDEX streams_by_age ON streams (created_at, stream_id)",
    "CREATE INDEX streams_by_summary ON streams USING gin (summary jsonb_path_ops) WHERE summary IS NOT NULL",
    """
    CREATE TABLE events (
        stream_id uuid NOT NULL,
        version bigint NOT NULL CHECK (version > 0),
        shard smallint NOT NULL,
        position bigint NOT NULL CHECK (position > 0),
        type text NOT NULL,
        data text NOT NULL,
        metadata text NOT NULL,
        recorded_at timestamptz NOT NULL,
        hash bytea NOT NULL,
        CONSTRAINT events_version_once PRIMARY KEY (stream_id, version),
        CONSTRAINT events_position_once UNIQUE (shard, position)
    )
    """,
    """
    CREATE TABLE requests (
        request_key text PRIMARY KEY,
        digest bytea NOT NULL CHECK (octet_length(digest) = 32),
        stream_id uuid NOT NULL,
        first_version bigint NOT NULL,
        last_version bigint NOT NULL,
        answer bytea NOT NULL
    )
    """,
)

# The log's hash of one event: SHA-256 over the hash before it and five fields, each behind its length in bytes as a
# big-endian 32-bit number: stream id (36 characters), version (decimal), type, data, metadata.
EVENT_HASH = """
CREATE FUNCTION event_hash(previous bytea, stream_id uuid, version bigint, type text, data text, metadata text)
RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN sha256(previous
    || int4send(36) || convert_to(stream_id::text, 'UTF8')
    || int4send(octet_length(version::text)) || convert_to(version::text, 'UTF8')
    || int4send(octet_length(type)) || convert_to(type, 'UTF8')
    || int4send(octet_length(data)) || convert_to(data, 'UTF8')
    || int4send(octet_length(metadata)) || convert_to(metadata, 'UTF8'))
"""

# One call appends a batch. The arrays p_streams to p_summaries hold one element for each append, p_types to p_metadata
# one for each event, in the order of the appends.
#
# Locks are taken in one order by all callers, so that no two batches wait for each other: request keys (by their
# lock's number), new streams, streams (by id), shards (by number); the shards last, because all tables of a shard share
# them.
# The planner's settings keep every lookup on its index, also on tables that were never analysed.
APPEND = """
CREATE FUNCTION append_events(
    p_streams uuid[], p_expected bigint[], p_keys text[], p_digests bytea[], p_answers bytea[],
    p_rebuilds int[], p_marks text[], p_summaries text[], p_counts int[],
    p_types text[], p_data text[], p_metadata text[]
) RETURNS TABLE (outcome text, version bigint, first_version bigint, answer bytea, stream_id uuid)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
    n int := cardinality(p_streams);
    outcomes text[] := array_fill(NULL::text, ARRAY[n]);
    versions bigint[] := array_fill(0::bigint, ARRAY[n]);
    firsts bigint[] := array_fill(0::bigint, ARRAY[n]);
    answers bytea[] := array_fill(''::bytea, ARRAY[n]);
    at_streams uuid[] := p_streams;
    starts int[] := array_fill(0, ARRAY[n]);
    e_place int[] := '{}'; e_stream uuid[] := '{}'; e_version bigint[] := '{}'; e_shard smallint[] := '{}';
    e_position bigint[] := '{}'; e_hash bytea[] := '{}';
    u_stream uuid[] := '{}'; u_version bigint[] := '{}'; u_hash bytea[] := '{}'; u_rebuild bigint[] := '{}';
    u_mark text[] := '{}'; u_summary text[] := '{}';
    q_place int[] := '{}';
    many int := 0; updates int := 0; asked int := 0;
    place int; event int; total int := 0;
    head bigint; previous bytea; last uuid;
    bases bigint[]; r record;
    moment timestamptz;
BEGIN
    FOR place IN 1 .. n LOOP
        starts[place] := total;
        total := total + p_counts[place];
    END LOOP;
    IF total <> cardinality(p_types) THEN
        RAISE EXCEPTION 'the appends count % events, % were given', total, cardinality(p_types)
            USING ERRCODE = 'invalid_parameter_value';
    END IF;

    -- The same request again: decided first, while nobody else can be deciding it.
    IF EXISTS (SELECT FROM unnest(p_keys) k WHERE k IS NOT NULL) THEN
        PERFORM pg_advisory_xact_lock(number) FROM (
            SELECT hashtextextended(key, 7301) AS number FROM unnest(p_keys) key WHERE key IS NOT NULL ORDER BY 1
        ) AS sorted;
        FOR r IN
            SELECT k.place::int AS place, q.digest = p_digests[k.place::int] AS same, q.*
            FROM unnest(p_keys) WITH ORDINALITY k (key, place) JOIN requests q ON q.request_key = k.key
        LOOP
            outcomes[r.place] := CASE WHEN r.same THEN 'already_appended' ELSE 'request_conflict' END;
            versions[r.place] := r.last_version;
            firsts[r.place] := r.first_version;
            at_streams[r.place] := r.stream_id;
            IF r.same THEN
                answers[r.place] := r.answer;
            END IF;
        END LOOP;
    END IF;

    IF 0 = ANY (p_expected) THEN
        INSERT INTO streams (stream_id, shard, head_hash)
        SELECT DISTINCT a.stream_id, shard_of(a.stream_id), decode(repeat('00', 32), 'hex')
        FROM unnest(p_streams, p_expected, outcomes) a (stream_id, expected, outcome)
        WHERE a.expected = 0 AND a.outcome IS NULL ORDER BY 1
        ON CONFLICT DO NOTHING;
    END IF;

    FOR r IN
        SELECT a.place::int AS place, s.* FROM unnest(p_streams, outcomes) WITH ORDINALITY a (stream_id, outcome, place)
        JOIN streams s ON s.stream_id = a.stream_id
        WHERE a.outcome IS NULL ORDER BY a.stream_id, a.place
        FOR NO KEY UPDATE OF s
    LOOP
        place := r.place;
        IF last IS DISTINCT FROM r.stream_id THEN
            last := r.stream_id;
            head := r.version;
            previous := r.head_hash;
        END IF;
        IF p_expected[place] <> head THEN
            outcomes[place] := 'version_conflict';
            versions[place] := head;
            CONTINUE;
        END IF;
        IF updates = 0 OR u_stream[updates] <> last THEN
            updates := updates + 1;
            u_stream[updates] := last;
        END IF;
        firsts[place] := head + 1;
        u_rebuild[updates] := coalesce(head + 1 + p_rebuilds[place], u_rebuild[updates]);
        FOR event IN starts[place] + 1 .. starts[place] + p_counts[place] LOOP
            head := head + 1;
            previous := event_hash(previous, last, head, p_types[event], p_data[event], p_metadata[event]);
            many := many + 1;
            e_place[many] := event;
            e_stream[many] := last;
            e_version[many] := head;
            e_shard[many] := r.shard;
            e_hash[many] := previous;
        END LOOP;
        outcomes[place] := 'appended';
        versions[place] := head;
        answers[place] := p_answers[place];
        u_version[updates] := head;
        u_hash[updates] := previous;
        u_mark[updates] := coalesce(p_marks[place], u_mark[updates]);
        u_summary[updates] := coalesce(p_summaries[place], u_summary[updates]);
        IF p_keys[place] IS NOT NULL THEN
            asked := asked + 1;
            q_place[asked] := place;
        END IF;
    END LOOP;
    -- What was not found at all.
    FOR place IN 1 .. n LOOP
        outcomes[place] := coalesce(outcomes[place], 'version_conflict');
    END LOOP;

    IF many > 0 THEN
        FOR r IN SELECT shard, count(*) AS added FROM unnest(e_shard) AS s (shard) GROUP BY shard ORDER BY shard LOOP
            UPDATE shards SET head = shards.head + r.added WHERE shards.shard = r.shard
            RETURNING shards.head INTO STRICT head;
            bases[r.shard] := head - r.added;
        END LOOP;
        FOR event IN 1 .. many LOOP
            bases[e_shard[event]] := bases[e_shard[event]] + 1;
            e_position[event] := bases[e_shard[event]];
        END LOOP;
        moment := clock_timestamp();
        INSERT INTO events (stream_id, version, shard, position, type, data, metadata, recorded_at, hash)
        SELECT e.stream_id, e.version, e.shard, e.position,
            p_types[e.place], p_data[e.place], p_metadata[e.place], moment, e.hash
        FROM unnest(e_stream, e_version, e_shard, e_position, e_hash, e_place)
            AS e (stream_id, version, shard, position, hash, place);
        UPDATE streams s SET version = u.version, head_hash = u.hash, changed_at = moment,
            rebuild_version = coalesce(u.rebuild, s.rebuild_version),
            mark = coalesce(u.mark, s.mark), summary = coalesce(u.summary::jsonb, s.summary)
        FROM unnest(u_stream, u_version, u_hash, u_rebuild, u_mark, u_summary)
            AS u (stream_id, version, hash, rebuild, mark, summary)
        WHERE s.stream_id = u.stream_id;
        IF asked > 0 THEN
            INSERT INTO requests (request_key, digest, stream_id, first_version, last_version, answer)
            SELECT p_keys[place], p_digests[place], p_streams[place], firsts[place], versions[place], p_answers[place]
            FROM unnest(q_place) AS place;
        END IF;
    END IF;
    RETURN QUERY SELECT * FROM unnest(outcomes, versions, firsts, answers, at_streams);
END
$$
"""

APPEND_SIGNATURE = (
    "append_events(uuid[], bigint[], text[], bytea[], bytea[], int[], text[], text[], int[], text[], text[], text[])"
)


def upgrade() -> None:
    """Make tables, functions, guards and grants of the log."""
    for statement in (*TABLES, EVENT_HASH, APPEND):
        op.execute(statement)
    for table in ("events", "requests"):
        op.execute(
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}"
            " FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
        )
    op.execute(f"REVOKE ALL ON FUNCTION {APPEND_SIGNATURE} FROM PUBLIC")
    op.execute(f"GRANT EXECUTE ON FUNCTION {APPEND_SIGNATURE} TO pitboss_dealer, pitboss_settlement")
    op.execute("GRANT SELECT ON shards, streams, events, requests TO pitboss_dealer, pitboss_settlement, pitboss_audit")
