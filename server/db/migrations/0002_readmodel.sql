-- The change log from which every node refreshes its read model and its response cache.

-- Every writer locks the one row, so versions commit in order: reading "all changes after mine" can never miss one that
-- commits late.
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

-- Arguments: the column that identifies a row, then the columns that nobody sees. security definer: the role that may
-- write a row may not write the log directly.
create function log_public_change() returns trigger language plpgsql security definer set search_path = public as $$
declare
  changed text[];
  next bigint;
begin
  -- One branch for each event: a statement may only name the transition tables that its event has.
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

-- Called once for each table that the read model caches.
create procedure follow_publicly(tab regclass, key text, variadic unseen text[] default '{}') language plpgsql as $$
declare
  arguments text := array_to_string(array(select quote_literal(a) from unnest(array_prepend(key, unseen)) a), ', ');
begin
  execute format('create trigger follow_insert after insert on %s
    referencing new table as new_rows
    for each statement execute function log_public_change(%s)', tab, arguments);
  execute format('create trigger follow_update after update on %s
    referencing old table as old_rows new table as new_rows
    for each statement execute function log_public_change(%s)', tab, arguments);
  execute format('create trigger follow_delete after delete on %s
    referencing old table as old_rows
    for each statement execute function log_public_change(%s)', tab, arguments);
  execute format('create trigger follow_truncate after truncate on %s
    for each statement execute function log_public_change(%s)', tab, arguments);
end $$;

-- Invalidates all cached responses after a bulk change of cities, near which people search. Names no row, since no node
-- has the cities in memory.
create function drop_cached_responses() returns void language plpgsql security definer set search_path = public as $$
declare next bigint;
begin
  update public_version set version = version + 1 returning version into next;
  insert into public_changes values (next, 'cities', '*');
  perform pg_notify('public_changes', next::text);
end $$;
revoke execute on function drop_cached_responses() from public;
grant execute on function drop_cached_responses() to portal_service;
