"""The event log: shards, streams, events, requests, and the function that appends, for one and for a batch.

The append functions are superseded by those of r0009, which r0019 changes.
"""

from alembic import op

revision = "0002"
down_revision = "0001"

SHARDS = 16
PARTITIONS = tuple(f"events_{number:02}" for number in range(SHARDS))
REQUESTS = 7301  # sets the locks of the log's requests apart from other advisory locks
ZEROS = "decode(repeat('00', 32), 'hex')"

TABLES = (
    # A shard's row is rewritten by every append; room on its page lets Postgres prune the old versions in passing.
    """
    CREATE TABLE shards (
        shard smallint PRIMARY KEY,
        head bigint NOT NULL DEFAULT 0
    ) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 1000)
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
        version bigint NOT NULL DEFAULT 0,
        head_hash bytea NOT NULL,
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
    # Lists are of tables that are open; those that are closed, ever more of them, are not walked over.
    """CREATE INDEX streams_open ON streams (created_at, stream_id) WHERE summary @> '{"closed": false}'""",
    # A partition for each shard, so that a database of many nodes can spread them. The shard is a function of the
    # stream, so the key is one of stream and version, and each of its partitions holds whole streams.
    f"""
    CREATE TABLE events (
        stream_id uuid NOT NULL,
        version bigint NOT NULL,
        shard smallint NOT NULL,
        position bigint NOT NULL,
        type text NOT NULL,
        data text NOT NULL,
        metadata text NOT NULL,
        recorded_at timestamptz NOT NULL,
        hash bytea NOT NULL,
        CONSTRAINT events_version_once PRIMARY KEY (stream_id, version, shard),
        CONSTRAINT events_position_once UNIQUE (shard, position),
        CONSTRAINT events_shard CHECK (shard = get_byte(uuid_send(stream_id), 15) % {SHARDS})
    ) PARTITION BY LIST (shard)
    """,
    *(f"CREATE TABLE {partition} PARTITION OF events FOR VALUES IN ({n})" for n, partition in enumerate(PARTITIONS)),
    """
    CREATE TABLE requests (
        request_key text PRIMARY KEY,
        digest bytea NOT NULL,
        stream_id uuid NOT NULL,
        first_version bigint NOT NULL,
        last_version bigint NOT NULL,
        answer bytea NOT NULL
    )
    """,
)

# The log's hash of one event: SHA-256 over the hash before it and five fields, each behind its length in bytes as a
# big-endian 32-bit number: stream id (36 characters), version (decimal), type, data, metadata.
HASH = """sha256({previous}
                || int4send(36) || convert_to({stream_id}::text, 'UTF8')
                || int4send(octet_length({version}::text)) || convert_to({version}::text, 'UTF8')
                || int4send(octet_length({type})) || convert_to({type}, 'UTF8')
                || int4send(octet_length({data})) || convert_to({data}, 'UTF8')
                || int4send(octet_length({metadata})) || convert_to({metadata}, 'UTF8'))"""

EVENT_HASH = f"""
CREATE FUNCTION event_hash(previous bytea, stream_id uuid, version bigint, type text, data text, metadata text)
RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN {HASH.format(**{field: field for field in ("previous", "stream_id", "version", "type", "data", "metadata")})}
"""

# The same, written out where it runs for every event: a call of the function above costs more than the hash.
HASH_IN_ONE, HASH_IN_BATCH = (
    HASH.format(
        previous="previous",
        stream_id=stream,
        version="head",
        type="p_types[event]",
        data="p_data[event]",
        metadata="p_metadata[event]",
    )
    for stream in ("p_stream", "last")
)

# Locks are taken in one order by all callers, so that no two of them wait for each other: request keys (by their lock's
# number), new streams, streams (by id), shards (by number); the shards last, because all tables of a shard share them.
# The planner's settings keep every lookup on its index, also on tables that were never analysed.
SETTINGS = """LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan"""

# One append alone. Says and does what APPEND_BATCH does for a batch of one, for less than half of its cost.
APPEND_ONE = f"""
CREATE FUNCTION append_one(
    p_stream uuid, p_expected bigint, p_key text, p_digest bytea, p_answer bytea,
    p_rebuild int, p_mark text, p_summary text, p_types text[], p_data text[], p_metadata text[],
    OUT outcome text, OUT version bigint, OUT first_version bigint, OUT answer bytea, OUT stream_id uuid
) {SETTINGS}
AS $$
#variable_conflict use_column
DECLARE
    n int := cardinality(p_types);
    head bigint; previous bytea; home int; before bigint; moment timestamptz;
BEGIN
    IF p_key IS NOT NULL THEN
        -- The same request again: decided first, while nobody else can be deciding it.
        PERFORM pg_advisory_xact_lock(hashtextextended(p_key, {REQUESTS}));
        SELECT CASE WHEN q.digest = p_digest THEN 'already_appended' ELSE 'request_conflict' END, q.last_version,
            q.first_version, CASE WHEN q.digest = p_digest THEN q.answer ELSE '' END, q.stream_id
        INTO outcome, version, first_version, answer, stream_id FROM requests q WHERE q.request_key = p_key;
        IF FOUND THEN
            RETURN;
        END IF;
    END IF;
    IF p_expected = 0 THEN
        INSERT INTO streams (stream_id, shard, head_hash) VALUES (p_stream, shard_of(p_stream), {ZEROS})
        ON CONFLICT DO NOTHING;
    END IF;
    SELECT s.version, s.head_hash, s.shard INTO head, previous, home FROM streams s WHERE s.stream_id = p_stream
    FOR NO KEY UPDATE;
    stream_id := p_stream;
    IF NOT FOUND OR head <> p_expected THEN
        outcome := 'version_conflict';
        version := coalesce(head, 0);
        first_version := 0;
        answer := '';
        RETURN;
    END IF;
    first_version := head + 1;
    UPDATE shards SET head = shards.head + n WHERE shard = home RETURNING shards.head - n INTO STRICT before;
    moment := clock_timestamp();
    FOR event IN 1 .. n LOOP
        head := head + 1;
        previous := {HASH_IN_ONE};
        INSERT INTO events (stream_id, version, shard, position, type, data, metadata, recorded_at, hash)
        VALUES (p_stream, head, home, before + event, p_types[event], p_data[event], p_metadata[event], moment,
            previous);
    END LOOP;
    UPDATE streams s SET version = head, head_hash = previous, changed_at = moment,
        rebuild_version = coalesce(first_version + p_rebuild, s.rebuild_version),
        mark = coalesce(p_mark, s.mark), summary = coalesce(p_summary::jsonb, s.summary)
    WHERE s.stream_id = p_stream;
    IF p_key IS NOT NULL THEN
        INSERT INTO requests (request_key, digest, stream_id, first_version, last_version, answer)
        VALUES (p_key, p_digest, p_stream, first_version, head, p_answer);
    END IF;
    outcome := 'appended';
    version := head;
    answer := p_answer;
END
$$
"""

# A batch in one call. The arrays p_streams to p_counts hold one element for each append, p_types to p_metadata one for
# each event, in the order of the appends.
APPEND_BATCH = f"""
CREATE FUNCTION append_batch(
    p_streams uuid[], p_expected bigint[], p_keys text[], p_digests bytea[], p_answers bytea[],
    p_rebuilds int[], p_marks text[], p_summaries text[], p_counts int[],
    p_types text[], p_data text[], p_metadata text[]
) RETURNS TABLE (outcome text, version bigint, first_version bigint, answer bytea, stream_id uuid)
{SETTINGS}
AS $$
#variable_conflict use_column
DECLARE
    n int := cardinality(p_streams);
    outcomes text[] := array_fill(NULL::text, ARRAY[n]);
    versions bigint[] := array_fill(0::bigint, ARRAY[n]);
    firsts bigint[] := array_fill(0::bigint, ARRAY[n]);
    answers bytea[] := array_fill(''::bytea, ARRAY[n]);
    owners uuid[] := p_streams;
    starts int[] := array_fill(0, ARRAY[n]);
    total int := 0;
    -- Of each event: its place among the parameters, and what it is stored with.
    many int := 0; e_place int[];
    e_stream uuid[]; e_version bigint[]; e_shard int[]; e_position bigint[]; e_hash bytea[];
    -- Of each stream: its new row.
    changed int := 0; s_stream uuid[];
    s_version bigint[]; s_hash bytea[]; s_rebuild bigint[]; s_mark text[]; s_summary text[];
    -- Of each shard: how many events it gets, then the position before the next of them.
    added bigint[] := array_fill(0::bigint, ARRAY[{SHARDS}], ARRAY[0]);
    asked int := 0; asking int[];
    place int; head bigint; previous bytea; last uuid; moment timestamptz; r record;
BEGIN
    FOR i IN 1 .. n LOOP
        starts[i] := total;
        total := total + p_counts[i];
    END LOOP;
    IF total <> cardinality(p_types) THEN
        RAISE EXCEPTION 'the appends count % events, % were given', total, cardinality(p_types)
            USING ERRCODE = 'invalid_parameter_value';
    END IF;

    -- The same request again: decided first, while nobody else can be deciding it.
    IF cardinality(array_remove(p_keys, NULL)) > 0 THEN
        PERFORM pg_advisory_xact_lock(number) FROM (
            SELECT hashtextextended(k, {REQUESTS}) AS number FROM unnest(p_keys) AS k WHERE k IS NOT NULL ORDER BY 1
        ) AS sorted;
        FOR r IN
            SELECT k.place, q.digest, q.stream_id, q.first_version, q.last_version, q.answer
            FROM unnest(p_keys) WITH ORDINALITY AS k (key, place) JOIN requests q ON q.request_key = k.key
        LOOP
            versions[r.place] := r.last_version;
            firsts[r.place] := r.first_version;
            owners[r.place] := r.stream_id;
            IF r.digest = p_digests[r.place] THEN
                outcomes[r.place] := 'already_appended';
                answers[r.place] := r.answer;
            ELSE
                outcomes[r.place] := 'request_conflict';
            END IF;
        END LOOP;
    END IF;

    IF 0 = ANY (p_expected) THEN
        INSERT INTO streams (stream_id, shard, head_hash)
        SELECT DISTINCT p_streams[i], shard_of(p_streams[i]), {ZEROS}
        FROM generate_series(1, n) AS i WHERE p_expected[i] = 0 AND outcomes[i] IS NULL ORDER BY 1
        ON CONFLICT DO NOTHING;
    END IF;

    FOR r IN
        SELECT a.place, s.stream_id, s.shard, s.version, s.head_hash
        FROM unnest(p_streams) WITH ORDINALITY AS a (stream_id, place) JOIN streams s ON s.stream_id = a.stream_id
        ORDER BY a.stream_id, a.place FOR NO KEY UPDATE OF s
    LOOP
        place := r.place;
        CONTINUE WHEN outcomes[place] IS NOT NULL;
        IF last IS DISTINCT FROM r.stream_id THEN
            last := r.stream_id;
            head := r.version;
            previous := r.head_hash;
        END IF;
        IF p_expected[place] <> head THEN
            versions[place] := head;
            CONTINUE;
        END IF;
        IF s_stream[changed] IS DISTINCT FROM last THEN
            changed := changed + 1;
            s_stream[changed] := last;
        END IF;
        firsts[place] := head + 1;
        s_rebuild[changed] := coalesce(head + 1 + p_rebuilds[place], s_rebuild[changed]);
        s_mark[changed] := coalesce(p_marks[place], s_mark[changed]);
        s_summary[changed] := coalesce(p_summaries[place], s_summary[changed]);
        FOR event IN starts[place] + 1 .. starts[place] + p_counts[place] LOOP
            head := head + 1;
            previous := {HASH_IN_BATCH};
            many := many + 1;
            e_place[many] := event;
            e_stream[many] := last;
            e_version[many] := head;
            e_shard[many] := r.shard;
            e_hash[many] := previous;
        END LOOP;
        s_version[changed] := head;
        s_hash[changed] := previous;
        added[r.shard] := added[r.shard] + p_counts[place];
        outcomes[place] := 'appended';
        versions[place] := head;
        answers[place] := p_answers[place];
        IF p_keys[place] IS NOT NULL THEN
            asked := asked + 1;
            asking[asked] := place;
        END IF;
    END LOOP;

    IF many > 0 THEN
        FOR i IN 0 .. {SHARDS - 1} LOOP
            IF added[i] > 0 THEN
                UPDATE shards SET head = shards.head + added[i] WHERE shard = i RETURNING shards.head - added[i]
                INTO STRICT head;
                added[i] := head;
            END IF;
        END LOOP;
        FOR i IN 1 .. many LOOP
            head := added[e_shard[i]] + 1;
            added[e_shard[i]] := head;
            e_position[i] := head;
        END LOOP;
        moment := clock_timestamp();
        INSERT INTO events (stream_id, version, shard, position, type, data, metadata, recorded_at, hash)
        SELECT e_stream[i], e_version[i], e_shard[i], e_position[i], p_types[place], p_data[place], p_metadata[place],
            moment, e_hash[i]
        FROM unnest(e_place) WITH ORDINALITY AS e (place, i);
        UPDATE streams s SET version = s_version[i], head_hash = s_hash[i], changed_at = moment,
            rebuild_version = coalesce(s_rebuild[i], s.rebuild_version),
            mark = coalesce(s_mark[i], s.mark), summary = coalesce(s_summary[i]::jsonb, s.summary)
        FROM unnest(s_stream) WITH ORDINALITY AS u (stream_id, i) WHERE s.stream_id = u.stream_id;
        IF asked > 0 THEN
            INSERT INTO requests (request_key, digest, stream_id, first_version, last_version, answer)
            SELECT p_keys[i], p_digests[i], p_streams[i], firsts[i], versions[i], p_answers[i]
            FROM unnest(asking) AS i;
        END IF;
    END IF;
    RETURN QUERY SELECT coalesce(outcomes[i], 'version_conflict'), versions[i], firsts[i], answers[i], owners[i]
        FROM generate_series(1, n) AS i;
END
$$
"""

FUNCTIONS = (
    "append_one(uuid, bigint, text, bytea, bytea, int, text, text, text[], text[], text[])",
    "append_batch(uuid[], bigint[], text[], bytea[], bytea[], int[], text[], text[], int[], text[], text[], text[])",
)


def upgrade() -> None:
    """Make tables, functions, guards and grants of the log."""
    for statement in (*TABLES, EVENT_HASH, APPEND_ONE, APPEND_BATCH):
        op.execute(statement)
    for table in ("events", *PARTITIONS, "requests"):
        op.execute(
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}"
            " FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
        )
    for function in FUNCTIONS:
        op.execute(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC")
        op.execute(f"GRANT EXECUTE ON FUNCTION {function} TO pitboss_dealer, pitboss_settlement")
    op.execute("GRANT SELECT ON shards, streams, events, requests TO pitboss_dealer, pitboss_settlement, pitboss_audit")
