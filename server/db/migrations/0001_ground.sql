-- The ground everything stands on: who a transaction acts for, settings, the audit trail, and the log that keeps
-- each node's memory of public rows fresh. Runs on PostgreSQL 15 to 18 and on PGlite.

-- Roles belong to the whole cluster: another database, or another node at this moment, may have made them.
do $$
declare name text;
begin
  foreach name in array array['portal_anonymous', 'portal_user', 'portal_service'] loop
    begin
      execute format('create role %I nologin', name);
    exception when duplicate_object or unique_violation then null;
    end;
    begin
      execute format('grant %I to current_user', name);
    exception when others then
      -- A superuser may act as any role without being granted it; anybody else needs the grant.
      if not (select rolsuper from pg_roles where rolname = current_user) then raise; end if;
    end;
  end loop;
end $$;

grant usage on schema public to portal_anonymous, portal_user, portal_service;

create extension if not exists pg_trgm;

-- Claims are set for one transaction by withClaims; outside of it they read as nobody.
create function portal_claims() returns jsonb language sql stable as
$$ select coalesce(nullif(current_setting('portal.claims', true), ''), '{}')::jsonb $$;
create function portal_user_id() returns uuid language sql stable as
$$ select (portal_claims() ->> 'user_id')::uuid $$;
create function portal_role() returns text language sql stable as
$$ select portal_claims() ->> 'role' $$;

create table settings (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now(),
  updated_by uuid
);
alter table settings enable row level security;
alter table settings force row level security;
create policy settings_read on settings for select to portal_anonymous, portal_user using (true);
create policy settings_admin on settings for all to portal_user
  using (portal_role() = 'admin') with check (portal_role() = 'admin');
create policy settings_service on settings for all to portal_service using (true) with check (true);
grant select on settings to portal_anonymous;
grant select, insert, update, delete on settings to portal_user, portal_service;

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor_id uuid,
  actor_role text not null,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  before jsonb,
  after jsonb,
  reason text
);
create index audit_log_subject on audit_log (subject_type, subject_id, id desc);
create index audit_log_at on audit_log (at desc);
alter table audit_log enable row level security;
alter table audit_log force row level security;
-- Nobody changes or removes an entry: no update or delete policy exists, for no role.
create policy audit_own_entry on audit_log for insert to portal_user
  with check (actor_id = portal_user_id() and actor_role = portal_role());
create policy audit_admin_reads on audit_log for select to portal_user using (portal_role() = 'admin');
create policy audit_service_writes on audit_log for insert to portal_service with check (true);
create policy audit_service_reads on audit_log for select to portal_service using (true);
grant select, insert on audit_log to portal_user, portal_service;

-- The public read model follows this log. Every writer locks the one version row, so versions commit in order and
-- "all changes after mine" can never miss a late commit.
create table public_version (
  only_row boolean primary key default true check (only_row),
  version bigint not null default 0
);
insert into public_version default values;
create table public_changes (
  version bigint not null,
  table_name text not null,
  row_id text not null,
  primary key (version, table_name, row_id)
);
grant select on public_version, public_changes to portal_anonymous, portal_user, portal_service;

-- First argument: the column that names a row; the others: columns whose change nobody sees. security definer: whoever
-- may write the row may not write the log by hand.
create function log_public_change() returns trigger language plpgsql security definer set search_path = public as $$
declare
  changed text[];
  next bigint;
begin
  -- Apart, since a statement may only name the transition tables that its event has.
  if tg_op = 'TRUNCATE' then
    changed := array['*'];
  elsif tg_op = 'DELETE' then
    changed := array(select to_jsonb(o) ->> tg_argv[0] from old_rows o);
  elsif tg_op = 'INSERT' then
    changed := array(select to_jsonb(n) ->> tg_argv[0] from new_rows n);
  else
    changed := array(
      select n.id
      from (select to_jsonb(r) ->> tg_argv[0] as id, to_jsonb(r) - tg_argv[1:] as row from new_rows r) n
      left join (select to_jsonb(r) ->> tg_argv[0] as id, to_jsonb(r) - tg_argv[1:] as row from old_rows r) o using (id)
      where n.row is distinct from o.row
    );
  end if;
  if cardinality(changed) = 0 then return null; end if;
  update public_version set version = version + 1 returning version into next;
  insert into public_changes select next, tg_table_name, id from unnest(changed) id on conflict do nothing;
  perform pg_notify('public_changes', next::text);
  return null;
end $$;

-- Called once for each table that the read model holds.
create procedure follow_publicly(tab regclass, key text, variadic unseen text[] default '{}') language plpgsql as $$
declare arguments text := array_to_string(array(select quote_literal(a) from unnest(array_prepend(key, unseen)) a), ', ');
begin
  execute format('create trigger follow_insert after insert on %s referencing new table as new_rows for each statement execute function log_public_change(%s)', tab, arguments);
  execute format('create trigger follow_update after update on %s referencing old table as old_rows new table as new_rows for each statement execute function log_public_change(%s)', tab, arguments);
  execute format('create trigger follow_delete after delete on %s referencing old table as old_rows for each statement execute function log_public_change(%s)', tab, arguments);
  execute format('create trigger follow_truncate after truncate on %s for each statement execute function log_public_change(%s)', tab, arguments);
end $$;

call follow_publicly('settings', 'key');
