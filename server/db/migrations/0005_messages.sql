-- Mail and text messages on their way out. A message is committed with what caused it and sent by a job.
create table messages (
  id uuid primary key default gen_random_uuid(),
  -- Subject, version, person and channel: the same message asked for twice is one.
  message_key text not null unique,
  channel text not null check (channel in ('email', 'sms')),
  recipient text not null check (length(recipient) <= 320),
  user_id uuid references user_profiles on delete cascade,
  template text not null,
  language text not null default 'en',
  subject text not null default '',
  body_text text not null,
  body_html text,
  -- Holds a code or a link that signs somebody in: the body is wiped once it was sent.
  is_secret boolean not null default false,
  status text not null default 'pending' check (status in ('pending', 'sending', 'sent', 'delivered', 'failed', 'recorded')),
  attempts integer not null default 0,
  error text,
  receipt text,
  created_at timestamptz not null default now(),
  -- Not tried before this: after a failure, and while one worker has it in hand.
  not_before timestamptz not null default now(),
  sent_at timestamptz
);
create index messages_waiting on messages (not_before) where status in ('pending', 'sending');
create index messages_created on messages (created_at desc);
alter table messages enable row level security;
alter table messages force row level security;
-- Bodies hold links that sign in: only the portal itself reads them. The outbox screen reads through the service.
create policy messages_service on messages for all to portal_service using (true) with check (true);
grant select, insert, update, delete on messages to portal_service;
