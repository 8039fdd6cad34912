-- Backups that were made, and backups that were tested by a restore: administrators see what could be lost.

create table backup_runs (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('backup', 'check')),
  status text not null check (status in ('running', 'done', 'failed')),
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  -- The folder of the backup, and the moment it was made.
  folder text,
  backup_at timestamptz,
  bytes bigint,
  table_count integer,
  row_count bigint,
  file_count integer,
  -- Files with a row, but without bytes or with other bytes than the row says.
  missing_files integer,
  is_encrypted boolean,
  error text,
  started_by uuid references user_profiles on delete set null,
  check ((status = 'running') = (finished_at is null))
);
create index backup_runs_latest on backup_runs (kind, status, started_at desc);
alter table backup_runs enable row level security, force row level security;
create policy backup_runs_service on backup_runs for all to portal_service using (true) with check (true);
create policy backup_runs_admin on backup_runs for select to portal_user using (portal_role() = 'admin');
grant select, insert, update, delete on backup_runs to portal_service;
grant select on backup_runs to portal_user;
