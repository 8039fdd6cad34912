-- Travel advisories: where they come from, what each source says now, and what it said before.

create table advisory_sources (
  id text primary key check (id ~ '^[a-z0-9-]{2,60}$'),
  name text not null,
  organization text not null,
  -- Feeds of one authority share it: the US State Department publishes the same advisories as RSS and as JSON.
  authority text not null,
  country_code text check (country_code ~ '^[A-Z]{2}$'),
  -- Names the reader that understands its documents; 'manual' has none, people write its advisories.
  reader text not null,
  url text,
  homepage text not null,
  language text not null default 'en',
  licence text not null,
  licence_url text,
  interval_seconds integer not null default 300 check (interval_seconds between 60 and 86400),
  -- Fewer entries than this in a whole list mean a changed format, not a safer world.
  minimum_items integer not null default 1 check (minimum_items >= 0),
  is_enabled boolean not null default true,
  position integer not null default 100,
  last_attempt_at timestamptz,
  last_success_at timestamptz,
  last_change_at timestamptz,
  next_attempt_at timestamptz not null default now(),
  item_count integer not null default 0,
  error text,
  etag text,
  last_modified text,
  content_hash text,
  -- Day of the dated extract shown until the source itself has answered.
  captured_on date,
  -- A node that fetches holds the source until then; a dead node's claim runs out by itself.
  claimed_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (reader = 'manual' or url is not null)
);

create table travel_advisories (
  id uuid primary key default gen_random_uuid(),
  source_id text not null references advisory_sources,
  external_id text not null,
  title text not null check (title <> ''),
  description text not null default '',
  detailed_information text,
  severity_level text not null check (severity_level in ('emergency', 'critical', 'warning', 'caution', 'info')),
  severity_rank integer not null generated always as (
    case severity_level when 'emergency' then 5 when 'critical' then 4 when 'warning' then 3 when 'caution' then 2 else 1 end
  ) stored,
  advisory_type text not null default 'general' check (
    advisory_type in ('general', 'security', 'health', 'weather', 'political', 'entry_requirements', 'transport', 'other')
  ),
  affected_countries text[] not null default '{}',
  country_codes text[] not null default '{}'
    check (array_to_string(country_codes, ',') ~ '^([A-Z]{2}(,[A-Z]{2})*)?$'),
  unresolved_countries text[] not null default '{}',
  affected_regions text[] not null default '{}',
  affected_cities text[] not null default '{}',
  recommendations text[] not null default '{}',
  source_organization text not null,
  source_url text not null,
  language text not null default 'en',
  original_level text,
  original_wording text not null,
  national_alert_level smallint check (national_alert_level between 1 and 4),
  effective_date timestamptz,
  expiry_date timestamptz,
  last_updated timestamptz not null,
  date_precision text not null default 'minute' check (date_precision in ('day', 'minute')),
  version integer not null default 1 check (version > 0),
  changed_at timestamptz,
  content_hash text not null,
  -- CAP status or an administrator's draft: only 'actual' is ever public (never a word in a title).
  status text not null default 'actual' check (status in ('actual', 'exercise', 'system', 'test', 'draft')),
  missing_since timestamptz,
  captured_on date,
  is_active boolean not null default true,
  is_urgent boolean not null default false,
  auto_notify boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Folded by shared/countries/fold.ts at every write; memory and SQL search this same text.
  search_text text not null default '',
  check (expiry_date is null or effective_date is null or expiry_date >= effective_date),
  unique (source_id, external_id)
);
create index travel_advisories_order on travel_advisories (is_urgent desc, severity_rank desc, last_updated desc, id)
  where is_active and status = 'actual';
create index travel_advisories_countries on travel_advisories using gin (country_codes);
create index travel_advisories_search on travel_advisories using gin (search_text gin_trgm_ops);
create index travel_advisories_unresolved on travel_advisories (source_id) where unresolved_countries <> '{}';
create index travel_advisories_expiry on travel_advisories (expiry_date) where is_active and expiry_date is not null;

create table advisory_versions (
  advisory_id uuid not null references travel_advisories on delete cascade,
  version integer not null check (version > 0),
  recorded_at timestamptz not null default now(),
  last_updated timestamptz not null,
  date_precision text not null,
  severity_level text not null,
  title text not null,
  original_wording text not null,
  description text not null,
  detailed_information text,
  recommendations text[] not null default '{}',
  expiry_date timestamptz,
  -- [{ field, before, after }]: what differs from the version before; empty for the first.
  changes jsonb not null default '[]',
  primary key (advisory_id, version)
);
create index advisory_versions_recent on advisory_versions (recorded_at desc);

create table advisory_acknowledgments (
  advisory_id uuid not null references travel_advisories on delete cascade,
  user_id uuid not null,
  version integer not null,
  acknowledged_at timestamptz not null default now(),
  primary key (advisory_id, user_id)
);
create index advisory_acknowledgments_user on advisory_acknowledgments (user_id);

create table feed_runs (
  id uuid primary key default gen_random_uuid(),
  source_id text not null references advisory_sources,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  cause text not null check (cause in ('schedule', 'manual', 'file', 'sample')),
  status text not null default 'running' check (status in ('running', 'ok', 'unchanged', 'failed', 'refused')),
  fetched integer not null default 0,
  added integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  missing integer not null default 0,
  unresolved jsonb not null default '[]',
  refused jsonb not null default '[]',
  error text
);
create index feed_runs_source on feed_runs (source_id, started_at desc);
create index feed_runs_started on feed_runs (started_at);

-- Names an administrator has resolved by hand; the checked-in list holds the rest.
create table country_aliases (
  alias text primary key check (alias <> ''),
  country_code text not null check (country_code ~ '^[A-Z]{2}$'),
  created_at timestamptz not null default now()
);

alter table advisory_sources enable row level security;
alter table advisory_sources force row level security;
alter table travel_advisories enable row level security;
alter table travel_advisories force row level security;
alter table advisory_versions enable row level security;
alter table advisory_versions force row level security;
alter table advisory_acknowledgments enable row level security;
alter table advisory_acknowledgments force row level security;
alter table feed_runs enable row level security;
alter table feed_runs force row level security;
alter table country_aliases enable row level security;
alter table country_aliases force row level security;

create policy sources_public on advisory_sources for select to portal_anonymous, portal_user using (true);
create policy sources_admin on advisory_sources for all to portal_user
  using (portal_role() = 'admin') with check (portal_role() = 'admin');
create policy sources_service on advisory_sources for all to portal_service using (true) with check (true);

create policy advisories_public on travel_advisories for select to portal_anonymous, portal_user using (status = 'actual');
create policy advisories_admin on travel_advisories for all to portal_user
  using (portal_role() = 'admin') with check (portal_role() = 'admin');
create policy advisories_service on travel_advisories for all to portal_service using (true) with check (true);

create policy versions_public on advisory_versions for select to portal_anonymous, portal_user
  using (exists (select from travel_advisories a where a.id = advisory_id));
create policy versions_admin on advisory_versions for all to portal_user
  using (portal_role() = 'admin') with check (portal_role() = 'admin');
create policy versions_service on advisory_versions for all to portal_service using (true) with check (true);

create policy acknowledgments_own on advisory_acknowledgments for all to portal_user
  using (user_id = portal_user_id()) with check (user_id = portal_user_id());
create policy acknowledgments_service on advisory_acknowledgments for all to portal_service using (true) with check (true);

create policy runs_admin on feed_runs for select to portal_user using (portal_role() = 'admin');
create policy runs_service on feed_runs for all to portal_service using (true) with check (true);

create policy aliases_public on country_aliases for select to portal_anonymous, portal_user using (true);
create policy aliases_admin on country_aliases for all to portal_user
  using (portal_role() = 'admin') with check (portal_role() = 'admin');
create policy aliases_service on country_aliases for all to portal_service using (true) with check (true);

grant select on advisory_sources, travel_advisories, advisory_versions, country_aliases to portal_anonymous;
grant select, insert, update, delete on advisory_sources, travel_advisories, advisory_versions, country_aliases,
  advisory_acknowledgments, feed_runs to portal_user, portal_service;

-- An acknowledgment changes what is shown of its advisory.
create function log_acknowledgment() returns trigger language plpgsql security definer set search_path = public as $$
declare next bigint;
begin
  update public_version set version = version + 1 returning version into next;
  insert into public_changes select distinct next, 'travel_advisories', advisory_id::text from new_rows;
  perform pg_notify('public_changes', next::text);
  return null;
end $$;
create trigger follow_acknowledgment after insert on advisory_acknowledgments
  referencing new table as new_rows for each statement execute function log_acknowledgment();

call follow_publicly('advisory_sources', 'id', 'claimed_until', 'next_attempt_at', 'etag', 'last_modified', 'content_hash',
  'updated_at');
call follow_publicly('travel_advisories', 'id');
call follow_publicly('country_aliases', 'alias');
