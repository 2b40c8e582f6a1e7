"""What a database's schema is, as lines of text that are the same on every supported Postgres."""

from typing import Any, Final

import psycopg

QUERY: Final = """
SELECT 'table ' || c.relname || ' ' || coalesce(array_to_string(c.reloptions, ' '), '') FROM pg_class c
WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
UNION ALL
SELECT format('column %s.%s %s%s%s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
    CASE WHEN a.attnotnull THEN ' not null' ELSE '' END, CASE WHEN a.attidentity <> '' THEN ' identity' ELSE '' END,
    coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), ''))
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
    AND NOT c.relispartition
UNION ALL
SELECT format('constraint %s on %s: %s', conname, conrelid::regclass, pg_get_constraintdef(oid)) FROM pg_constraint
WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'u', 'f', 'c') AND coninhcount = 0
UNION ALL
SELECT 'index ' || pg_get_indexdef(i.indexrelid) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE c.relnamespace = 'public'::regnamespace AND NOT c.relispartition
UNION ALL
SELECT 'trigger ' || pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
UNION ALL
SELECT format('function %s(%s) definer=%s owner=%s settings=%s body=%s',
    proname, pg_get_function_arguments(oid), prosecdef, pg_get_userbyid(proowner) = current_user,
    coalesce(array_to_string(proconfig, ' '), ''),
    left(md5(coalesce(prosrc, '') || coalesce(pg_get_function_sqlbody(oid), '')), 16))
FROM pg_proc WHERE pronamespace = 'public'::regnamespace
UNION ALL
SELECT format('grant %s on %s to %s', privilege_type, table_name, grantee) FROM information_schema.role_table_grants
WHERE table_schema = 'public' AND grantee LIKE 'pitboss\\_%'
UNION ALL
SELECT format('grant %s (%s) on %s to %s', p.privilege_type, string_agg(a.attname, ', ' ORDER BY a.attname), c.relname,
    p.grantee::regrole)
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid CROSS JOIN LATERAL aclexplode(a.attacl) AS p
WHERE c.relnamespace = 'public'::regnamespace GROUP BY p.privilege_type, c.relname, p.grantee
UNION ALL
SELECT format('grant execute on %s to %s', proname, CASE WHEN grantee = 0 THEN 'public' ELSE grantee::regrole::text END)
FROM pg_proc CROSS JOIN LATERAL aclexplode(coalesce(proacl, acldefault('f', proowner))) AS a
WHERE pronamespace = 'public'::regnamespace AND grantee <> proowner
"""


def lines(conn: psycopg.Connection[Any]) -> list[str]:
    """Return the schema's lines, sorted."""
    return sorted(row[0].strip() for row in conn.execute(QUERY.encode()).fetchall())
