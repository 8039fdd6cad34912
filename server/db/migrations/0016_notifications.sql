-- The inbox, and what each user chose about being notified.

-- For one user, or for a group ('coordinator' is all kinds of coordinators, C-13). No foreign keys: an advisory goes to
-- 100,000 users in one statement, and looking up and locking the user and the announcement of each row cost as much as
-- writing it. Triggers remove the rows with their user or announcement.
create table notifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid,
  recipient_role text,
  announcement_id uuid,
  type text not null check (length(type) <= 60),
  title text not null check (length(title) <= 300),
  message text not null check (length(message) <= 5000),
  data jsonb not null default '{}',
  delivery_method text[] not null default '{in-app,email}',
  priority text not null default 'medium' check (priority in ('low', 'medium', 'high', 'urgent')),
  status text not null default 'pending' check (status in ('pending', 'scheduled', 'sent', 'failed')),
  action_url text check (action_url like '/%' and action_url not like '//%'),
  -- One event makes one notification.
  event_key text unique,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  read_at timestamptz,
  check ((user_id is null) <> (recipient_role is null))
);
create index notifications_user on notifications (user_id, created_at desc);
create index notifications_role on notifications (recipient_role, created_at desc) where recipient_role is not null;
create index notifications_announcement on notifications (announcement_id) where announcement_id is not null;
create index notifications_unread on notifications (user_id) where read_at is null;
-- Notifications whose delivery status is not known yet, looked for every minute.
create index notifications_pending on notifications (id) where status = 'pending';

-- Each user of a group reads and dismisses its notifications separately.
create table notification_reads (
  notification_id uuid not null references notifications on delete cascade,
  user_id uuid not null references user_profiles on delete cascade,
  read_at timestamptz not null default now(),
  is_archived boolean not null default false,
  primary key (notification_id, user_id)
);
create index notification_reads_user on notification_reads (user_id);

create table notification_preferences (
  user_id uuid primary key references user_profiles on delete cascade,
  -- {"advisory": {"email": false}}: a channel that is not listed is on.
  channels jsonb not null default '{}' check (jsonb_typeof(channels) = 'object'),
  sms_opt_out boolean not null default false,
  -- Quiet hours in the user's time zone, for every channel that makes a sound; both or neither.
  quiet_from time,
  quiet_until time,
  digest text not null default 'at_once' check (digest in ('at_once', 'daily', 'weekly')),
  -- Urgent messages ignore the quiet hours.
  urgent_bypass boolean not null default true,
  updated_at timestamptz not null default now(),
  check ((quiet_from is null) = (quiet_until is null)),
  check (quiet_from <> quiet_until)
);

-- Browsers that can be notified while no page is open (RFC 8030).
create table push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references user_profiles on delete cascade,
  endpoint text not null unique check (endpoint like 'http%' and length(endpoint) <= 2000),
  p256dh text not null check (length(p256dh) <= 200),
  auth text not null check (length(auth) <= 100),
  user_agent text check (length(user_agent) <= 300),
  created_at timestamptz not null default now(),
  last_used_at timestamptz
  -- Room on the page, so that setting last_used_at of 100,000 rows changes no index.
) with (fillfactor = 50);
create index push_subscriptions_user on push_subscriptions (user_id);

-- Addresses and preferences under the names of the specification (000 §3).
create view communication_preferences with (security_invoker = true) as
  select u.id as user_id, u.email, u.phone_number,
    coalesce((p.channels #>> '{notice,email}')::boolean, true) as email_notifications,
    coalesce((p.channels #>> '{notice,sms}')::boolean, true) as sms_notifications
  from user_profiles u left join notification_preferences p on p.user_id = u.id;
grant select on communication_preferences to portal_user, portal_service;

/* True for the groups of the caller. */
create function portal_hears(group_name text) returns boolean language sql stable as
$$ select group_name = portal_role() or (group_name = 'coordinator' and portal_is_coordinator()) $$;

do $$
declare tab text;
begin
  foreach tab in array array['notifications', 'notification_reads', 'notification_preferences',
    'push_subscriptions'] loop
    execute format('alter table %I enable row level security, force row level security', tab);
    execute format('create policy %I on %I for all to portal_service using (true) with check (true)',
      tab || '_service', tab);
    execute format('grant select, insert, update, delete on %I to portal_user, portal_service', tab);
  end loop;
  foreach tab in array array['notification_reads', 'notification_preferences', 'push_subscriptions'] loop
    execute format('create policy %I on %I for all to portal_user
      using (user_id = portal_user_id()) with check (user_id = portal_user_id())', tab || '_own', tab);
  end loop;
end $$;
create policy notifications_own on notifications for select to portal_user
  using (user_id = portal_user_id() or portal_hears(recipient_role) or portal_role() = 'admin');
create policy notifications_read on notifications for update to portal_user
  using (user_id = portal_user_id()) with check (user_id = portal_user_id());
create policy notifications_own_delete on notifications for delete to portal_user using (user_id = portal_user_id());
create policy notifications_admin on notifications for all to portal_user
  using (portal_role() = 'admin') with check (portal_role() = 'admin');
-- For functions with security definer, which belong to the login role.
create policy notifications_owner on notifications for select to current_user using (true);
create policy notifications_owner_delete on notifications for delete to current_user using (true);
-- Administrators see what a user chose and read; they change neither.
create policy notification_preferences_admin on notification_preferences for select to portal_user
  using (portal_role() = 'admin');
create policy notification_reads_admin on notification_reads for select to portal_user using (portal_role() = 'admin');
-- Only notifications of the user's own groups can be marked as read.
create policy notification_reads_heard on notification_reads as restrictive for insert to portal_user
  with check (exists (select from notifications n where n.id = notification_id and portal_hears(n.recipient_role)));

-- Open pages update their inbox. Names up to 100 users and groups; with more, every page checks.
create function notify_inboxes() returns trigger language plpgsql as $$
declare
  recipients text[] := array(select distinct coalesce(user_id::text, recipient_role) from new_rows limit 101);
begin
  if cardinality(recipients) > 0 then
    perform pg_notify('notifications',
      case when cardinality(recipients) > 100 then '*' else array_to_string(recipients, ',') end);
  end if;
  return null;
end $$;
create trigger notify_inboxes_insert after insert on notifications referencing new table as new_rows
  for each statement execute function notify_inboxes();
create trigger notify_inboxes_update after update on notifications referencing new table as new_rows
  for each statement execute function notify_inboxes();
create trigger notify_inboxes_delete after delete on notifications referencing old table as new_rows
  for each statement execute function notify_inboxes();

-- What is read or dismissed on one device disappears on the others.
create function notify_inbox_readers() returns trigger language plpgsql as $$
declare
  readers text[] := array(select distinct user_id::text from new_rows limit 101);
begin
  if cardinality(readers) > 0 then
    perform pg_notify('notifications',
      case when cardinality(readers) > 100 then '*' else array_to_string(readers, ',') end);
  end if;
  return null;
end $$;
create trigger notify_inbox_readers_insert after insert on notification_reads referencing new table as new_rows
  for each statement execute function notify_inbox_readers();
create trigger notify_inbox_readers_update after update on notification_reads referencing new table as new_rows
  for each statement execute function notify_inbox_readers();

/*
 * A user who loses a role, or places of its scope, keeps no notifications that lead to the pages of the role. Open work
 * is on those pages for the users who still look after it.
 */
create function forget_places_left() returns trigger language plpgsql security definer set search_path = public as $$
begin
  delete from notifications where user_id = new.id and action_url like '/admin%';
  return null;
end $$;
create trigger forget_places_left after update on user_profiles for each row
  when (old.role in ('admin', 'mfa_coordinator', 'pdos_coordinator', 'local_servant') and new.role <> 'admin'
    and not new.scope_everywhere and (new.role <> old.role or old.scope_everywhere
      or not coalesce(old.scope_countries, '{}') <@ coalesce(new.scope_countries, '{}')
      or not coalesce(old.scope_chapters, '{}') <@ coalesce(new.scope_chapters, '{}')))
  execute function forget_places_left();
