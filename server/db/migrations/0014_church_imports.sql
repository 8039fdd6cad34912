-- Imports of locales. An import is a plan first: what would happen to each row. It is applied as a whole, and undone as
-- a whole.

create table locale_imports (
  id uuid primary key default gen_random_uuid(),
  file_name text not null check (length(file_name) <= 200),
  sha256 text not null,
  -- The columns of the file in order, and the field that each one fills.
  columns text[] not null,
  mapping jsonb not null default '{}',
  options jsonb not null default '{}',
  -- Prefix of the ids in the file, so that two files cannot refer to each other's rows.
  id_prefix text not null default '' check (length(id_prefix) <= 40),
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
create index locale_imports_created on locale_imports (created_at desc);
create index locale_imports_sha256 on locale_imports (sha256);

create table locale_import_rows (
  import_id uuid not null references locale_imports on delete cascade,
  row_number integer not null,
  -- The cells as they are in the file.
  cells jsonb not null,
  -- Of the locale in the row, to recognise it and to search for it.
  name text,
  place text,
  action text check (action in ('create', 'update', 'unchanged', 'skip', 'error')),
  locale_id uuid,
  -- updated_at of the locale at planning: the plan is applied only while it is the same.
  seen_updated_at timestamptz,
  -- Fields that the plan writes.
  fields jsonb,
  -- For an update, the same fields before it; for undo, the whole row before the import.
  before jsonb,
  -- updated_at of the locale after the import: undone only while it is the same.
  written_updated_at timestamptz,
  -- What to know about the row: [{ code, field?, value? }].
  problems jsonb not null default '[]',
  -- Locales that may be the same church, for a user to judge.
  duplicates jsonb not null default '[]',
  -- May be an existing church: skipped until a user decides.
  is_undecided boolean not null default false,
  decision text check (decision in ('create', 'update', 'skip')),
  decided_locale_id uuid,
  primary key (import_id, row_number)
);
create index locale_import_rows_action on locale_import_rows (import_id, action, row_number);
create index locale_import_rows_problems on locale_import_rows (import_id, row_number) where problems <> '[]';
create index locale_import_rows_undecided on locale_import_rows (import_id, row_number) where is_undecided;

do $$
declare tab text;
begin
  foreach tab in array array['locale_imports', 'locale_import_rows'] loop
    execute format('alter table %I enable row level security, force row level security', tab);
    execute format('grant select, insert, update, delete on %I to portal_user, portal_service', tab);
    execute format('create policy %I on %I for all to portal_service using (true) with check (true)',
      tab || '_service', tab);
    execute format('create policy %I on %I for all to portal_user
      using (portal_role() = ''admin'') with check (portal_role() = ''admin'')', tab || '_admin', tab);
    execute format('create policy %I on %I for all to current_user using (true) with check (true)',
      tab || '_owner', tab);
  end loop;
end $$;
