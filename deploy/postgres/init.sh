#!/bin/sh
# Runs once, on an empty volume: a login for each kind of process, which may do what its role may and nothing else.
# The roles' rights are given by the migrations.
set -eu
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
    --set=dealer="$PITBOSS_DEALER_DB_PASSWORD" \
    --set=settlement="$PITBOSS_SETTLEMENT_DB_PASSWORD" \
    --set=audit="$PITBOSS_AUDIT_DB_PASSWORD" \
    --set=base="$POSTGRES_DB" <<'SQL'
CREATE ROLE pitboss_dealer NOLOGIN;
CREATE ROLE pitboss_settlement NOLOGIN;
CREATE ROLE pitboss_audit NOLOGIN;
CREATE ROLE dealer LOGIN NOINHERIT PASSWORD :'dealer' IN ROLE pitboss_dealer;
CREATE ROLE settlement LOGIN NOINHERIT PASSWORD :'settlement' IN ROLE pitboss_settlement;
CREATE ROLE audit LOGIN NOINHERIT PASSWORD :'audit' IN ROLE pitboss_audit;
REVOKE ALL ON DATABASE :"base" FROM PUBLIC;
GRANT CONNECT ON DATABASE :"base" TO dealer, settlement, audit;
SQL
