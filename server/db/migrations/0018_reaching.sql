-- Reaching people: what is told to many at once, who wants to hear what, and what became of each message.

-- Something told to many: an advisory's version, a notice, a roll-call, a reminder. It is written in the transaction of
-- its cause; its messages follow in one statement of their own, made once.
create table announcements (
  id uuid primary key default gen_random_uuid(),
  -- Subject and version: the same thing announced twice is announced once.
  announcement_key text not null unique check (length(announcement_key) <= 200),
  kind text not null check (kind in ('advisory', 'notice', 'roll_call', 'reminder')),
  priority text not null default 'medium' check (priority in ('low', 'medium', 'high', 'urgent')),
  template text not null,
  -- What the template needs, by language: {"en": {…}, "ar": {…}}.
  texts jsonb not null,
  -- Where it leads inside the portal.
  action_url text check (action_url like '/%' and action_url not like '//%'),
  -- Of an advisory: which one, in which version, and why it matters.
  advisory_id uuid references travel_advisories on delete cascade,
  advisory_version integer,
  reason text check (reason in ('new', 'escalated', 'instruction_changed', 'withdrawn', 'by_hand')),
  -- Of a notice: whom it is for and by which ways. Null: those who subscribed to the advisory, as they wished.
  audience jsonb,
  channels text[] check (channels <@ '{in-app,browser,email,sms,push,whatsapp}'),
  status text not null default 'waiting' check (status in
    ('draft', 'for_approval', 'waiting', 'told', 'cancelled')),
  -- Told at this time; null: as soon as it is waiting.
  scheduled_for timestamptz,
  created_by uuid references user_profiles on delete set null,
  approved_by uuid references user_profiles on delete set null,
  approved_at timestamptz,
  created_at timestamptz not null default now(),
  told_at timestamptz,
  -- People it was told to, counted when it was.
  people integer,
  check (approved_by is null or approved_by is distinct from created_by),
  check ((kind = 'advisory') = (advisory_id is not null))
);
create index announcements_waiting on announcements (coalesce(scheduled_for, created_at)) where status = 'waiting';
create index announcements_created on announcements (created_at desc);
create index announcements_advisory on announcements (advisory_id, advisory_version) where advisory_id is not null;

-- One row of the outbox for one person, one way and one version. What is told to many has its words in the announcement
-- and its address in the profile, looked up when it leaves.
alter table messages
  add column announcement_id uuid references announcements on delete cascade,
  -- The subscription it came by; kept when that is gone.
  add column subscription_id uuid,
  -- What its reader may choose about: see notification_preferences.
  add column kind text not null default 'account'
    check (kind in ('account', 'advisory', 'notice', 'roll_call', 'reminder')),
  -- 0 urgent, 1 normal, 2 bulk: no newsletter delays an emergency.
  add column lane smallint not null default 1 check (lane between 0 and 2),
  -- Which of the providers of the channel took it.
  add column provider text,
  add column delivered_at timestamptz,
  alter column recipient drop not null,
  alter column body_text drop not null,
  drop constraint messages_channel_check,
  add constraint messages_channel_check check (channel in ('email', 'sms', 'push', 'whatsapp')),
  drop constraint messages_status_check,
  -- held: waits for the digest of its reader. dropped: no longer true, or no longer wanted, when its time came.
  add constraint messages_status_check check (status in
    ('pending', 'held', 'sending', 'sent', 'delivered', 'failed', 'dropped', 'cancelled', 'recorded')),
  add constraint messages_words_check check (body_text is not null or announcement_id is not null);
drop index messages_waiting;
create index messages_waiting on messages (channel, lane, not_before) where status in ('pending', 'sending');
create index messages_held on messages (user_id) where status = 'held';
create index messages_announcement on messages (announcement_id, status) where announcement_id is not null;
create index messages_receipt on messages (receipt) where receipt is not null;

-- Tries that did not go well, and the provider they were made with; the last one is told by the message itself.
create table message_attempts (
  id bigint generated always as identity primary key,
  message_id uuid not null references messages on delete cascade,
  at timestamptz not null default now(),
  provider text,
  outcome text not null check (outcome in ('failed', 'deferred', 'handed_over', 'receipt')),
  detail text check (length(detail) <= 500)
);
create index message_attempts_message on message_attempts (message_id, at);

-- Addresses nothing is sent to any more: they do not exist, or their owner said stop.
create table stopped_addresses (
  channel text not null check (channel in ('email', 'sms', 'whatsapp')),
  address text not null check (address = lower(address) and length(address) <= 320),
  reason text not null check (reason in ('bounced', 'invalid', 'complained', 'opted_out')),
  detail text check (length(detail) <= 500),
  since timestamptz not null default now(),
  primary key (channel, address)
);

-- Browsers that may be told though no page is open (RFC 8030).
create table push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references user_profiles on delete cascade,
  endpoint text not null unique check (endpoint like 'http%' and length(endpoint) <= 2000),
  p256dh text not null check (length(p256dh) <= 200),
  auth text not null check (length(auth) <= 100),
  user_agent text check (length(user_agent) <= 300),
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index push_subscriptions_user on push_subscriptions (user_id);

create table notification_preferences (
  user_id uuid primary key references user_profiles on delete cascade,
  -- {"advisory": {"email": false}}: what is not named is wanted.
  channels jsonb not null default '{}' check (jsonb_typeof(channels) = 'object'),
  sms_opt_out boolean not null default false,
  -- In the person's own time zone; both or neither. For every way that makes a sound.
  quiet_from time,
  quiet_until time,
  digest text not null default 'at_once' check (digest in ('at_once', 'daily', 'weekly')),
  -- Lets what is urgent through at any hour.
  urgent_bypass boolean not null default true,
  updated_at timestamptz not null default now(),
  check ((quiet_from is null) = (quiet_until is null)),
  check (quiet_from <> quiet_until)
);

-- Who wants to be told of which advisories (N-17).
create table advisory_subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references user_profiles on delete cascade,
  -- In order and each once; empty: every country.
  countries text[] not null default '{}' check (array_to_string(countries, ',') ~ '^([A-Z]{2}(,[A-Z]{2})*)?$'),
  severity_levels text[] not null default '{emergency,critical,warning}'
    check (severity_levels <@ '{emergency,critical,warning,caution,info}' and cardinality(severity_levels) > 0),
  -- Empty: every type.
  advisory_types text[] not null default '{}',
  channels text[] not null default '{in-app,email}'
    check (channels <@ '{in-app,browser,email,sms,push,whatsapp}' and cardinality(channels) > 0),
  language text not null default 'en' check (language in ('en', 'ar')),
  urgent_only boolean not null default false,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_notified_at timestamptz,
  unique (user_id, countries)
);
create index advisory_subscriptions_countries on advisory_subscriptions using gin (countries) where active;

-- At most twenty for one person, also when they are added at once.
create function limit_subscriptions() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform from user_profiles where id = new.user_id for update;
  if (select count(*) from advisory_subscriptions where user_id = new.user_id) >= 20 then
    raise exception 'at most 20 subscriptions' using errcode = '23514', constraint = 'advisory_subscriptions_most';
  end if;
  return new;
end $$;
create trigger limit_subscriptions before insert on advisory_subscriptions
  for each row execute function limit_subscriptions();

-- The bell.
alter table notifications
  add column announcement_id uuid references announcements on delete cascade,
  add column read_at timestamptz;
create index notifications_announcement on notifications (announcement_id) where announcement_id is not null;
create index notifications_unread on notifications (user_id) where read_at is null;
-- What is told to a group is read and put away by each of them.
create table notification_reads (
  notification_id uuid not null references notifications on delete cascade,
  user_id uuid not null references user_profiles on delete cascade,
  read_at timestamptz not null default now(),
  is_put_away boolean not null default false,
  primary key (notification_id, user_id)
);
create index notification_reads_user on notification_reads (user_id);

-- Words of messages as an administrator changed them: the latest version counts, those before it stay.
create table message_templates (
  name text not null check (length(name) <= 60),
  language text not null check (language in ('en', 'ar')),
  version integer not null check (version > 0),
  -- Null takes the portal's own words back.
  words jsonb,
  created_by uuid references user_profiles on delete set null,
  created_at timestamptz not null default now(),
  primary key (name, language, version)
);

-- When to remind of what (001 §9).
create table reminder_rules (
  id text primary key check (length(id) <= 60),
  event_type text not null,
  -- Hours before it begins.
  reminder_offsets numeric[] not null check (cardinality(reminder_offsets) between 1 and 10),
  enabled boolean not null default true,
  -- {"en": {"title", "message"}, "ar": {…}} with {{variables}} of the event.
  texts jsonb not null,
  priority text not null default 'medium' check (priority in ('low', 'medium', 'high', 'urgent')),
  delivery_methods text[] not null check (delivery_methods <@ '{in-app,email,sms,push,whatsapp}'),
  -- Null: those whom the event concerns; else everybody with this role.
  recipient_role text,
  updated_at timestamptz not null default now(),
  updated_by uuid references user_profiles on delete set null
);
create table scheduled_notifications (
  id uuid primary key default gen_random_uuid(),
  type text not null check (length(type) <= 60),
  title text not null check (length(title) <= 300),
  message text not null check (length(message) <= 5000),
  user_id uuid references user_profiles on delete cascade,
  recipient_role text,
  scheduled_for timestamptz not null,
  priority text not null default 'medium' check (priority in ('low', 'medium', 'high', 'urgent')),
  delivery_methods text[] not null default '{in-app,email}',
  data jsonb not null default '{}',
  action_url text check (action_url like '/%' and action_url not like '//%'),
  status text not null default 'pending' check (status in ('pending', 'sent', 'failed', 'cancelled')),
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  retry_count integer not null default 0,
  max_retries integer not null default 3,
  -- Which event, person and offset: reminded of once.
  event_type text,
  event_id text,
  event_key text unique,
  error text,
  check ((user_id is null) <> (recipient_role is null))
);
create index scheduled_notifications_due on scheduled_notifications (scheduled_for) where status = 'pending';
create index scheduled_notifications_event on scheduled_notifications (event_type, event_id);

-- "Are you safe?": asked of the people concerned, answered by one tap, and who needs help is looked after first.
create table roll_calls (
  id uuid primary key default gen_random_uuid(),
  title text not null check (length(title) between 1 and 200),
  message text not null default '' check (length(message) <= 1000),
  advisory_id uuid references travel_advisories on delete set null,
  country_codes text[] not null default '{}',
  chapter_id uuid references mfa_local_chapters on delete set null,
  announcement_id uuid references announcements on delete set null,
  started_by uuid references user_profiles on delete set null,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  -- Who needs help and is not taken care of by then is brought before the next.
  escalate_after_minutes integer not null default 15 check (escalate_after_minutes between 1 and 1440)
);
create index roll_calls_started on roll_calls (started_at desc);
create table roll_call_people (
  roll_call_id uuid not null references roll_calls on delete cascade,
  user_id uuid not null references user_profiles on delete cascade,
  -- Where they were when it was asked.
  country_code char(2),
  chapter_id uuid references mfa_local_chapters on delete set null,
  answer text check (answer in ('safe', 'need_help', 'not_there')),
  answered_at timestamptz,
  answered_via text check (answered_via in ('link', 'portal', 'coordinator', 'sms')),
  note text check (length(note) <= 500),
  -- The named person who is to help, since when, and whether they took it.
  helper_id uuid references user_profiles on delete set null,
  helper_since timestamptz,
  taken_at timestamptz,
  escalations integer not null default 0,
  helped_at timestamptz,
  primary key (roll_call_id, user_id)
);
create index roll_call_people_user on roll_call_people (user_id);
create index roll_call_people_open on roll_call_people (helper_since) where answer = 'need_help' and taken_at is null;

-- What was counted each time the portal proved that an urgent advisory went out.
create table sentinel_checks (
  announcement_id uuid not null references announcements on delete cascade,
  channel text not null,
  handed_over_at timestamptz,
  delivered_at timestamptz,
  alarmed_at timestamptz,
  detail text,
  primary key (announcement_id, channel)
);

do $$
declare tab text;
begin
  foreach tab in array array['announcements', 'message_attempts', 'stopped_addresses', 'push_subscriptions',
    'notification_preferences', 'advisory_subscriptions', 'notification_reads', 'message_templates', 'reminder_rules',
    'scheduled_notifications', 'roll_calls', 'roll_call_people', 'sentinel_checks'] loop
    execute format('alter table %I enable row level security', tab);
    execute format('alter table %I force row level security', tab);
    execute format('create policy %I on %I for all to portal_service using (true) with check (true)', tab || '_service', tab);
    execute format('grant select, insert, update, delete on %I to portal_service', tab);
  end loop;
  -- What is a person's own.
  foreach tab in array array['push_subscriptions', 'notification_preferences', 'advisory_subscriptions', 'notification_reads'] loop
    execute format('create policy %I on %I for all to portal_user using (user_id = portal_user_id())
      with check (user_id = portal_user_id())', tab || '_own', tab);
    execute format('grant select, insert, update, delete on %I to portal_user', tab);
  end loop;
  -- What administrators keep.
  foreach tab in array array['announcements', 'message_templates', 'reminder_rules', 'scheduled_notifications'] loop
    execute format('create policy %I on %I for all to portal_user using (portal_role() = ''admin'')
      with check (portal_role() = ''admin'')', tab || '_admin', tab);
    execute format('grant select, insert, update, delete on %I to portal_user', tab);
  end loop;
end $$;
create policy notifications_read on notifications for update to portal_user
  using (user_id = portal_user_id()) with check (user_id = portal_user_id());
create policy notifications_put_away on notifications for delete to portal_user using (user_id = portal_user_id());
create policy scheduled_notifications_own on scheduled_notifications for select to portal_user
  using (user_id = portal_user_id());
-- One's own answer; those of others are read by who looks after them, through policies of their own (roll-call).
create policy roll_call_people_own on roll_call_people for select to portal_user using (user_id = portal_user_id());
grant select on roll_call_people, roll_calls to portal_user;
create policy roll_calls_concerned on roll_calls for select to portal_user
  using (portal_role() = 'admin' or exists (select from roll_call_people p where p.roll_call_id = id and p.user_id = portal_user_id()));

-- Wakes those who send, and those whose page shows a bell; a missed call is made up for by looking every few seconds.
create function wake_senders() returns trigger language plpgsql as $$
begin
  perform pg_notify('messages', tg_table_name);
  return null;
end $$;
create trigger wake_senders after insert on messages for each statement execute function wake_senders();
create trigger wake_senders after insert or update of status on announcements
  for each statement execute function wake_senders();

-- Names up to a hundred people and groups; above that everybody looks.
create function ring_bells() returns trigger language plpgsql as $$
declare
  told text[] := array(select distinct coalesce(user_id::text, recipient_role) from new_rows limit 101);
begin
  if cardinality(told) > 0 then
    perform pg_notify('notifications', case when cardinality(told) > 100 then '*' else array_to_string(told, ',') end);
  end if;
  return null;
end $$;
create trigger ring_bells_insert after insert on notifications referencing new table as new_rows
  for each statement execute function ring_bells();
create trigger ring_bells_update after update on notifications referencing new table as new_rows
  for each statement execute function ring_bells();

insert into reminder_rules (id, event_type, reminder_offsets, priority, delivery_methods, recipient_role, texts) values
  ('pdos_session', 'pdos_session', '{24,2}', 'high', '{in-app,email,sms}', null, '{
    "en": {"title": "Your PDOS session: {{name}}", "message": "It begins on {{starts}} at {{place}}. Please bring your valid ID."},
    "ar": {"title": "جلسة التوجيه قبل المغادرة: {{name}}", "message": "تبدأ في {{starts}} في {{place}}. يُرجى إحضار بطاقة هوية سارية."}}'),
  ('virtual_training', 'virtual_training', '{24,2}', 'high', '{in-app,email}', null, '{
    "en": {"title": "Your online training: {{name}}", "message": "It begins on {{starts}}. The link to join is in the portal."},
    "ar": {"title": "تدريبك عبر الإنترنت: {{name}}", "message": "يبدأ في {{starts}}. رابط الانضمام متاح في البوابة."}}'),
  ('instructor', 'virtual_training', '{2}', 'medium', '{in-app,email}', 'coordinator', '{
    "en": {"title": "You lead a training: {{name}}", "message": "It begins on {{starts}}."},
    "ar": {"title": "تدريب بقيادتك: {{name}}", "message": "يبدأ في {{starts}}."}}'),
  ('application_deadline', 'application_deadline', '{72,24,2}', 'urgent', '{in-app,email,sms}', null, '{
    "en": {"title": "Deadline: {{name}}", "message": "The time to apply ends on {{starts}}."},
    "ar": {"title": "الموعد النهائي: {{name}}", "message": "تنتهي مهلة التقديم في {{starts}}."}}');
