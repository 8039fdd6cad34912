-- Imports of locales: how the file is read, what stands in the way of each row, and what a person decided about it.

alter table locale_imports
  add column options jsonb not null default '{}',
  -- Rises with every plan and every decision: only the plan that was looked at can be committed.
  add column plan_version integer not null default 0,
  -- Why the last step was refused: { code, rows }.
  add column refusal jsonb,
  -- How many rows of the step under way are done.
  add column progress integer not null default 0,
  -- When the step under way last gave a sign; without one for long it is dead and may be begun again.
  add column active_at timestamptz not null default now(),
  drop constraint locale_imports_status_check,
  add constraint locale_imports_status_check check (status in
    ('reading', 'uploaded', 'planning', 'planned', 'committing', 'committed', 'undoing', 'undone'));
create index locale_imports_sha256 on locale_imports (sha256);

alter table locale_import_rows
  drop column problem,
  -- What to know of the row: [{ code, field?, value? }].
  add column problems jsonb not null default '[]',
  -- Of the locale that the row speaks of, to recognise and to search it by.
  add column name text,
  add column place text,
  add column decision text check (decision in ('create', 'update', 'skip')),
  add column decided_locale_id uuid,
  -- May be a church that is there already: skipped until somebody decides.
  add column is_undecided boolean not null default false;
-- Rows of which there is something to know; few of many.
create index locale_import_rows_problems on locale_import_rows (import_id, row_number) where problems <> '[]';
create index locale_import_rows_undecided on locale_import_rows (import_id, row_number) where is_undecided;
