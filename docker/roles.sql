-- The database of docker-compose.yml: two roles, so that the service cannot take its own walls down, one database, pgvector.
-- The Postgres image runs this once, on an empty volume. It may be run again at any time, as a superuser, with psql:
-- it makes what is missing and sets both passwords to what the environment says. SQL alone, so that neither an
-- executable bit nor line endings of a checkout can break it.
\set ON_ERROR_STOP on
\getenv owner_password LETHE_OWNER_PASSWORD
\getenv app_password LETHE_APP_PASSWORD
\if :{?owner_password}
\if :{?app_password}
\else
do $$ begin raise exception 'LETHE_APP_PASSWORD is not set'; end $$;
\endif
\else
do $$ begin raise exception 'LETHE_OWNER_PASSWORD is not set'; end $$;
\endif

select 'create role lethe_owner' where not exists (select from pg_roles where rolname = 'lethe_owner') \gexec
select 'create role lethe_app' where not exists (select from pg_roles where rolname = 'lethe_app') \gexec
alter role lethe_owner login nosuperuser nobypassrls nocreatedb nocreaterole noreplication password :'owner_password';
alter role lethe_app login nosuperuser nobypassrls nocreatedb nocreaterole noreplication password :'app_password';

select 'create database lethe owner lethe_owner template template0'
where not exists (select from pg_database where datname = 'lethe') \gexec
revoke all on database lethe from public;
grant connect on database lethe to lethe_app;

\connect lethe
revoke create on schema public from public;
grant usage, create on schema public to lethe_owner;
grant usage on schema public to lethe_app;
create extension if not exists vector;
alter extension vector update;
