-- Delivery: the outbox, what became of each message, addresses that get nothing, and the delivery monitor.

-- One row for one recipient, channel and version, committed with its cause and sent by the dispatcher. A message of an
-- announcement has its text there, and its address in the profile, looked up when it is sent. No foreign keys, as in
-- notifications.
create table messages (
  id uuid primary key default gen_random_uuid(),
  -- Subject, version, user and channel: enqueued once.
  message_key text not null unique,
  channel text not null check (channel in ('email', 'sms', 'push', 'whatsapp')),
  recipient text check (length(recipient) <= 320),
  user_id uuid,
  announcement_id uuid,
  -- The subscription that caused it; stays when that is deleted.
  subscription_id uuid,
  -- The kind that notification_preferences refer to.
  kind text not null default 'account'
    check (kind in ('account', 'advisory', 'notice', 'roll_call', 'reminder')),
  -- 0 urgent, 1 normal, 2 bulk: no newsletter delays an emergency.
  queue_priority smallint not null default 1 check (queue_priority between 0 and 2),
  template text not null,
  language text not null default 'en',
  subject text not null default '',
  body_text text,
  body_html text,
  -- Of visitors' messages: a reply goes to the visitor, not to the portal.
  reply_to text check (length(reply_to) <= 320),
  -- Fields of the send API: sender, headers, media, and the payload of a push message.
  extras jsonb check (jsonb_typeof(extras) = 'object'),
  -- Holds a sign-in code or link: the body is wiped once it is sent.
  is_secret boolean not null default false,
  -- held: waits for its reader's digest. dropped: no longer true, or no longer wanted, when it was due.
  status text not null default 'pending' check (status in
    ('pending', 'held', 'sending', 'sent', 'delivered', 'failed', 'dropped', 'cancelled', 'recorded')),
  attempts integer not null default 0,
  error text,
  -- The provider that took it, and its id there; of a digested message the key of the digest.
  provider text,
  provider_message_id text,
  created_at timestamptz not null default now(),
  -- Not sent before: set after a failed attempt.
  not_before timestamptz not null default now(),
  -- Not sent after: codes and links expire.
  expires_at timestamptz,
  -- The lease, in a column without an index: leasing 100,000 messages changes no index, as long as their pages have
  -- room. Outside of the dispatcher a leased message is shown as "sending".
  leased_until timestamptz,
  sent_at timestamptz,
  delivered_at timestamptz,
  constraint messages_text_check check (body_text is not null or announcement_id is not null)
) with (fillfactor = 60);
create index messages_waiting on messages (channel, queue_priority, not_before) where status in ('pending', 'sending');
create index messages_quiet on messages (user_id)
  where status = 'pending' and error = 'Waits for the end of the quiet hours';
create index messages_deferred on messages (user_id) where status = 'held';
create index messages_created on messages (created_at desc);
create index messages_recipient on messages (lower(recipient), created_at desc) where recipient is not null;
create index messages_announcement on messages (announcement_id, status) where announcement_id is not null;
create index messages_provider_message on messages (provider_message_id) where provider_message_id is not null;
-- When an address last worked.
create index messages_worked on messages (user_id, channel, delivered_at desc) where delivered_at is not null;

-- Attempts that failed, with the provider; the message itself has the result of the last one.
create table message_attempts (
  id bigint generated always as identity primary key,
  message_id uuid not null references messages on delete cascade,
  at timestamptz not null default now(),
  provider text,
  result text not null check (result in ('failed', 'deferred', 'sent', 'delivery_event')),
  detail text check (length(detail) <= 500)
);
create index message_attempts_message on message_attempts (message_id, at);

-- Delivery events that arrived before the portal recorded that it had sent the message.
create table unmatched_delivery_events (
  provider text not null check (length(provider) <= 60),
  provider_message_id text not null check (length(provider_message_id) <= 500),
  status text not null check (status in ('delivered', 'failed')),
  detail text check (length(detail) <= 500),
  suppression_reason text check (suppression_reason in ('bounced', 'invalid', 'complained', 'opted_out')),
  received_at timestamptz not null default now(),
  primary key (provider, provider_message_id)
);

-- Suppressions: addresses that do not exist, or whose owner opted out.
create table suppressions (
  channel text not null check (channel in ('email', 'sms', 'whatsapp')),
  address text not null check (address = lower(address) and length(address) <= 320),
  reason text not null check (reason in ('bounced', 'invalid', 'complained', 'opted_out')),
  detail text check (length(detail) <= 500),
  created_at timestamptz not null default now(),
  primary key (channel, address)
);

-- Status counts of an announcement whose messages were deleted after a month.
create table announcement_stats (
  announcement_id uuid not null references announcements on delete cascade,
  channel text not null,
  status text not null,
  messages integer not null,
  primary key (announcement_id, channel, status)
);

-- Delivery statistics for the status page, measured by a job every few minutes: viewing the page costs no counting.
create table delivery_stats (
  channel text not null check (channel in ('email', 'sms', 'push', 'whatsapp', 'all')),
  -- 'urgent': urgent advisories; 'all': every announcement.
  scope text not null check (scope in ('urgent', 'all')),
  days integer not null,
  announcements integer not null,
  messages integer not null,
  -- Part of sent: only recorded, because the channel has no provider.
  recorded integer not null,
  sent integer not null,
  delivered integer not null,
  failed integer not null,
  waiting integer not null,
  -- Seconds from the advisory to sending, and to the delivery event.
  sent_p50 double precision,
  sent_p95 double precision,
  delivered_p50 double precision,
  delivered_p95 double precision,
  measured_at timestamptz not null,
  primary key (scope, channel)
);

-- What the delivery monitor measured of an urgent advisory on each channel.
create table delivery_monitor_checks (
  announcement_id uuid not null references announcements on delete cascade,
  channel text not null,
  sent_at timestamptz,
  delivered_at timestamptz,
  alarmed_at timestamptz,
  detail text,
  primary key (announcement_id, channel)
);

-- Findings of the delivery monitor: one open alarm for each cause, until the cause is gone.
create table delivery_monitor_alarms (
  id uuid primary key default gen_random_uuid(),
  cause text not null check (length(cause) <= 60),
  -- Number of affected things at present, and a description of the first.
  count integer not null,
  detail text not null default '' check (length(detail) <= 500),
  raised_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  cleared_at timestamptz
);
create unique index delivery_monitor_alarms_open on delivery_monitor_alarms (cause) where cleared_at is null;
create index delivery_monitor_alarms_raised on delivery_monitor_alarms (raised_at desc);

-- Bodies hold sign-in links: only the portal itself reads them. The outbox page reads through the service.
do $$
declare tab text;
begin
  foreach tab in array array['messages', 'message_attempts', 'unmatched_delivery_events', 'suppressions',
    'announcement_stats', 'delivery_stats', 'delivery_monitor_checks', 'delivery_monitor_alarms'] loop
    execute format('alter table %I enable row level security, force row level security', tab);
    execute format('create policy %I on %I for all to portal_service using (true) with check (true)',
      tab || '_service', tab);
    execute format('grant select, insert, update, delete on %I to portal_service', tab);
  end loop;
end $$;
-- For the functions with security definer, which belong to the login role.
create policy messages_owner on messages for select to current_user using (true);
create policy messages_forgotten on messages for delete to current_user using (true);
create policy suppressions_login on suppressions for all to current_user using (true) with check (true);

create function forget_messages_of_user() returns trigger language plpgsql
  security definer set search_path = public as $$
begin
  delete from messages m using old_rows o where m.user_id = o.id;
  delete from notifications n using old_rows o where n.user_id = o.id;
  return null;
end $$;
create trigger forget_messages_of_user after delete on user_profiles referencing old table as old_rows
  for each statement execute function forget_messages_of_user();

create function forget_messages_of_announcements() returns trigger language plpgsql
  security definer set search_path = public as $$
begin
  delete from messages m using old_rows o where m.announcement_id = o.id;
  delete from notifications n using old_rows o where n.announcement_id = o.id;
  return null;
end $$;
create trigger forget_messages_of_announcements after delete on announcements referencing old table as old_rows
  for each statement execute function forget_messages_of_announcements();

-- The confirmation of an erasure goes to an address that is stored nowhere else; once it is sent, it is stored nowhere.
create function forget_erased_recipient() returns trigger language plpgsql as $$
begin
  if new.template = 'account-erased' and new.status in ('sent', 'delivered', 'recorded', 'failed') then
    new.recipient := 'erased';
    new.body_text := '';
    new.body_html := null;
    new.error := null;
    new.provider_message_id := null;
  end if;
  return new;
end $$;
create trigger forget_erased_recipient before insert or update on messages
  for each row when (new.template = 'account-erased') execute function forget_erased_recipient();

-- Wakes the dispatcher; a lost notification costs a few seconds, until it polls.
create function wake_dispatcher() returns trigger language plpgsql as $$
begin
  perform pg_notify('messages', tg_table_name);
  return null;
end $$;
create trigger wake_dispatcher after insert on messages for each statement execute function wake_dispatcher();
create trigger wake_dispatcher after insert or update of status on announcements
  for each statement execute function wake_dispatcher();

/* The messages in a digest share its result. */
create function settle_digested() returns trigger language plpgsql as $$
begin
  update messages m set status = new.status, sent_at = new.sent_at, delivered_at = new.delivered_at, error = new.error
    where m.provider_message_id = new.message_key and m.status in ('held', 'sent', 'delivered', 'failed', 'recorded')
      and m.id <> new.id;
  return null;
end $$;
create trigger settle_digested after update of status on messages for each row
  when (new.template = 'digest' and old.status is distinct from new.status
    and new.status in ('sent', 'delivered', 'recorded', 'failed', 'dropped', 'cancelled'))
  execute function settle_digested();

-- An address or number that its owner confirms again is no longer suppressed.
create function lift_suppression() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if tg_argv[0] = 'email' and new.email_verified then
    delete from suppressions where channel = 'email' and address = lower(new.email);
  elsif tg_argv[0] = 'phone' and new.phone_number_verified then
    delete from suppressions where channel in ('sms', 'whatsapp') and address = lower(new.phone_number);
  end if;
  return null;
end $$;
create trigger lift_suppression_of_email after update of email_verified on auth_users
  for each row execute function lift_suppression('email');
create trigger lift_suppression_of_phone after update of phone_number_verified on auth_users
  for each row execute function lift_suppression('phone');
