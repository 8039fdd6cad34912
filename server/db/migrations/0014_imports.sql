-- Imports of any kind of record: the tables know nothing of churches, and each kind has its own access. An import is a
-- plan first: what would happen to each row. It is applied as a whole, and undone as a whole.

create table imports (
  id uuid primary key default gen_random_uuid(),
  -- What is imported: 'locales', …; the adapter of the kind knows how.
  kind text not null,
  file_name text not null check (length(file_name) <= 200),
  sha256 text not null,
  -- The columns of the file in order, and the field that each one fills.
  columns text[] not null,
  mapping jsonb not null default '{}',
  -- How cells are read, as the adapter defines it.
  settings jsonb not null default '{}',
  status text not null check (status in
    ('reading', 'uploaded', 'planning', 'planned', 'committing', 'committed', 'undoing', 'undone')),
  row_count integer not null,
  counts jsonb not null default '{}',
  -- Rises with every plan and every decision: only the plan that was reviewed can be applied.
  plan_version integer not null default 0,
  -- Why the last step was refused: { code, rows }.
  refusal jsonb,
  -- Finished rows of the running step.
  progress integer not null default 0,
  -- Heartbeat of the running step; when it is old, the step is dead and may be restarted.
  active_at timestamptz not null default now(),
  created_by uuid references user_profiles on delete set null,
  created_at timestamptz not null default now(),
  planned_at timestamptz,
  committed_at timestamptz,
  undone_at timestamptz
);
create index imports_kind on imports (kind, created_at desc);
create index imports_sha256 on imports (sha256);

create table import_rows (
  import_id uuid not null references imports on delete cascade,
  row_number integer not null,
  -- The cells as they are in the file.
  cells jsonb not null,
  -- Of the record in the row, to recognise it and to search for it.
  name text,
  place text,
  action text check (action in ('create', 'update', 'unchanged', 'skip', 'error')),
  record_id uuid,
  -- updated_at of the record at planning: the plan is applied only while it is the same.
  seen_updated_at timestamptz,
  -- Fields that the plan writes.
  fields jsonb,
  -- For an update, the same fields before it; for undo, the whole row before the import.
  before jsonb,
  -- updated_at of the record after the import: undone only while it is the same.
  written_updated_at timestamptz,
  -- What to know about the row: [{ code, field?, value? }].
  problems jsonb not null default '[]',
  -- Records that may be the same, for a user to judge.
  duplicates jsonb not null default '[]',
  -- May be an existing record: skipped until a user decides.
  is_undecided boolean not null default false,
  decision text check (decision in ('create', 'update', 'skip')),
  decided_record_id uuid,
  primary key (import_id, row_number)
);
create index import_rows_action on import_rows (import_id, action, row_number);
create index import_rows_problems on import_rows (import_id, row_number) where problems <> '[]';
create index import_rows_undecided on import_rows (import_id, row_number) where is_undecided;

-- Who may see and change the imports of a kind. A kind that is not named here belongs to nobody but the portal itself;
-- `uploader` is for kinds whose files only the uploader may see.
create function portal_may_import(kind text, uploader uuid) returns boolean language sql stable as
$$ select case kind when 'locales' then portal_role() = 'admin' else false end $$;

do $$
declare tab text;
begin
  foreach tab in array array['imports', 'import_rows'] loop
    execute format('alter table %I enable row level security, force row level security', tab);
    execute format('grant select, insert, update, delete on %I to portal_user, portal_service', tab);
    execute format('create policy %I on %I for all to portal_service using (true) with check (true)',
      tab || '_service', tab);
    execute format('create policy %I on %I for all to current_user using (true) with check (true)',
      tab || '_owner', tab);
  end loop;
end $$;
create policy imports_by_kind on imports for all to portal_user
  using (portal_may_import(kind, created_by)) with check (portal_may_import(kind, created_by));
-- The rows of the imports that the policy above lets through.
create policy import_rows_by_kind on import_rows for all to portal_user
  using (import_id in (select id from imports)) with check (import_id in (select id from imports));
