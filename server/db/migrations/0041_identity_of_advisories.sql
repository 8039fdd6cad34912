-- A level that a source lowered and that is not believed yet stands beside the level in force, until the source says it
-- again with a text or an administrator accepts it.
alter table travel_advisories
  add column pending_severity_level text
    check (pending_severity_level in ('emergency', 'critical', 'warning', 'caution', 'info')),
  add column pending_wording text,
  add column pending_since timestamptz,
  add column pending_reason text check (pending_reason in ('no_text', 'two_levels', 'same_date', 'mass')),
  -- Hash of the document that said it first: only another one says it again.
  add column pending_document text,
  -- The entry as it was read, for an administrator who accepts it.
  add column pending_item jsonb,
  add check (num_nulls(pending_severity_level, pending_wording, pending_since, pending_reason) in (0, 4));

create index travel_advisories_pending on travel_advisories (source_id) where pending_since is not null;

-- News that was not sent because very much changed at once: an administrator releases or drops each.
create table withheld_news (
  id uuid primary key default gen_random_uuid(),
  source_id text not null references advisory_sources,
  advisory_id uuid not null references travel_advisories on delete cascade,
  advisory_version integer not null,
  reason text not null check (reason in ('new', 'escalated', 'instruction_changed', 'withdrawn')),
  priority text not null check (priority in ('low', 'medium', 'high', 'urgent')),
  announcement_key text not null unique,
  -- { en: { title, message, … }, ar: … } as it would have been sent.
  texts jsonb not null,
  withheld_at timestamptz not null default now(),
  decided_at timestamptz,
  decision text check (decision in ('released', 'dropped')),
  check ((decided_at is null) = (decision is null))
);
create index withheld_news_open on withheld_news (source_id, withheld_at) where decided_at is null;
create index withheld_news_advisory on withheld_news (advisory_id);

alter table withheld_news enable row level security;
alter table withheld_news force row level security;
create policy withheld_admin on withheld_news for all to portal_user
  using (portal_role() = 'admin') with check (portal_role() = 'admin');
create policy withheld_service on withheld_news for all to portal_service using (true) with check (true);
grant select, insert, update on withheld_news to portal_user, portal_service;
