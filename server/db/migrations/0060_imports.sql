-- Imports of any kind of record: the tables know nothing of churches, and each kind has its own access.

alter table locale_imports rename to imports;
alter table locale_import_rows rename to import_rows;

alter table imports
  -- What is imported: 'locales', …; the adapter of the kind knows how.
  add column kind text not null default 'locales',
  -- How cells are read, as the adapter defines it.
  add column settings jsonb not null default '{}';
update imports set settings = jsonb_build_object('id_prefix', id_prefix, 'options', options);
alter table imports
  alter column kind drop default,
  drop column id_prefix,
  drop column options;

alter table import_rows rename column locale_id to record_id;
alter table import_rows rename column decided_locale_id to decided_record_id;
update import_rows set duplicates = (
  select jsonb_agg((d - 'locale_id') || jsonb_build_object('record_id', d -> 'locale_id'))
  from jsonb_array_elements(duplicates) d)
where duplicates <> '[]';

do $$
declare item record;
begin
  for item in select conname, conrelid::regclass as tab from pg_constraint
    where conrelid in ('imports'::regclass, 'import_rows'::regclass) and conname like 'locale\_import%' loop
    execute format('alter table %s rename constraint %I to %I', item.tab, item.conname,
      replace(item.conname, 'locale_import', 'import'));
  end loop;
end $$;
alter index locale_imports_sha256 rename to imports_sha256;
alter index locale_import_rows_action rename to import_rows_action;
alter index locale_import_rows_problems rename to import_rows_problems;
alter index locale_import_rows_undecided rename to import_rows_undecided;
drop index locale_imports_created;
create index imports_kind on imports (kind, created_at desc);

-- Who may see and change the imports of a kind. A kind that is not named here belongs to nobody but the portal itself;
-- `uploader` is for kinds whose files only the uploader may see.
create function portal_may_import(kind text, uploader uuid) returns boolean language sql stable as
$$ select case kind when 'locales' then portal_role() = 'admin' else false end $$;

drop policy locale_imports_service on imports;
drop policy locale_imports_admin on imports;
drop policy locale_imports_owner on imports;
drop policy locale_import_rows_service on import_rows;
drop policy locale_import_rows_admin on import_rows;
drop policy locale_import_rows_owner on import_rows;
create policy imports_service on imports for all to portal_service using (true) with check (true);
create policy imports_owner on imports for all to current_user using (true) with check (true);
create policy imports_by_kind on imports for all to portal_user
  using (portal_may_import(kind, created_by)) with check (portal_may_import(kind, created_by));
create policy import_rows_service on import_rows for all to portal_service using (true) with check (true);
create policy import_rows_owner on import_rows for all to current_user using (true) with check (true);
-- The rows of the imports that the policies above let through.
create policy import_rows_by_kind on import_rows for all to portal_user
  using (import_id in (select id from imports)) with check (import_id in (select id from imports));
