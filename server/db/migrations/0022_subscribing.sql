-- News of advisories: which sources' advisories are told to subscribers, the proof that they went out, and the figures.

-- What a new advisory of the source takes over. An administrator may say otherwise of each.
alter table advisory_sources add column auto_notify boolean not null default true;
-- Those held already are announced as new ones would be, unless somebody has decided about them.
update travel_advisories a set auto_notify = true
from advisory_sources s
where s.id = a.source_id and s.reader <> 'manual' and not a.auto_notify
  and not exists (select from audit_log l where l.subject_type = 'travel_advisory' and l.subject_id = a.id::text
    and l.after -> 'auto_notify' is not null);

-- What the sentinel found wrong: one open alarm for each cause, until it is seen to be over.
create table sentinel_alarms (
  id uuid primary key default gen_random_uuid(),
  cause text not null check (length(cause) <= 60),
  -- How many things it is about at present, and the first of them in words.
  found integer not null,
  detail text not null default '' check (length(detail) <= 500),
  raised_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  cleared_at timestamptz
);
create unique index sentinel_alarms_open on sentinel_alarms (cause) where cleared_at is null;
create index sentinel_alarms_raised on sentinel_alarms (raised_at desc);

-- What the page of promises shows, measured by a job every few minutes: nobody who reads it makes the database count.
create table delivery_figures (
  channel text not null check (channel in ('email', 'sms', 'push', 'whatsapp', 'all')),
  -- 'urgent' are the urgent advisories, 'all' everything that was announced.
  scope text not null check (scope in ('urgent', 'all')),
  days integer not null,
  announcements integer not null,
  messages integer not null,
  -- Of those handed over: only written down, since no provider is configured for the channel.
  recorded integer not null,
  handed_over integer not null,
  delivered integer not null,
  failed integer not null,
  waiting integer not null,
  -- Seconds from the advisory to the hand-over and to the word that it arrived.
  handed_over_p50 double precision,
  handed_over_p95 double precision,
  delivered_p50 double precision,
  delivered_p95 double precision,
  measured_at timestamptz not null,
  primary key (scope, channel)
);
create index messages_announced on messages (created_at) where announcement_id is not null;

-- What became of the messages of an announcement whose rows were removed after a month.
create table announcement_figures (
  announcement_id uuid not null references announcements on delete cascade,
  channel text not null,
  status text not null,
  messages integer not null,
  primary key (announcement_id, channel, status)
);
alter table announcement_figures enable row level security;
alter table announcement_figures force row level security;
create policy announcement_figures_service on announcement_figures for all to portal_service using (true) with check (true);
grant select, insert, update, delete on announcement_figures to portal_service;

do $$
declare tab text;
begin
  foreach tab in array array['sentinel_alarms', 'delivery_figures'] loop
    execute format('alter table %I enable row level security', tab);
    execute format('alter table %I force row level security', tab);
    execute format('create policy %I on %I for all to portal_service using (true) with check (true)', tab || '_service', tab);
    execute format('grant select, insert, update, delete on %I to portal_service', tab);
  end loop;
end $$;
