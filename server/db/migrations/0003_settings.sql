-- Settings of the system: everybody may read them, administrators change them.

create table settings (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now(),
  updated_by uuid
);
alter table settings enable row level security, force row level security;
create policy settings_read on settings for select to portal_anonymous, portal_user using (true);
create policy settings_admin on settings for all to portal_user
  using (portal_role() = 'admin') with check (portal_role() = 'admin');
create policy settings_service on settings for all to portal_service using (true) with check (true);
grant select on settings to portal_anonymous;
grant select, insert, update, delete on settings to portal_user, portal_service;
call follow_publicly('settings', 'key');
