-- The audit log: who did what to which record, with the record before and after.

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
create index audit_log_actions on audit_log (action, id desc);

alter table audit_log enable row level security, force row level security;
-- Nobody changes or removes an entry: no role of the portal has a policy for update or delete.
create policy audit_own_entry on audit_log for insert to portal_user
  with check (actor_id = portal_user_id() and actor_role = portal_role());
create policy audit_admin_reads on audit_log for select to portal_user using (portal_role() = 'admin');
create policy audit_service_writes on audit_log for insert to portal_service with check (true);
create policy audit_service_reads on audit_log for select to portal_service using (true);
grant select, insert on audit_log to portal_user, portal_service;

-- The one change an entry may see: after an erasure, what it says of the user is reduced to these fields. Only
-- erase_sign_in, which belongs to the login role, passes this policy.
create policy audit_erasure on audit_log for all to current_user using (true) with check (true);
create function impersonal(entry jsonb) returns jsonb language sql immutable as
$$ select case when jsonb_typeof(entry) = 'object' then (
     select jsonb_object_agg(key, value) from jsonb_each(entry)
     where key in ('role', 'permissions', 'profile_status', 'scope_countries', 'scope_chapters', 'scope_everywhere',
       'role_ends_at', 'fields', 'bucket')) end $$;
