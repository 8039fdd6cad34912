-- Travel advisories: their sources, what each source says now, and what it said before.

create table advisory_sources (
  id text primary key check (id ~ '^[a-z0-9-]{2,60}$'),
  name text not null,
  organization text not null,
  -- Shared by all feeds of one authority: the US State Department publishes the same advisories as RSS and as JSON.
  authority text not null,
  country_code text check (country_code ~ '^[A-Z]{2}$'),
  -- The reader of its documents; 'manual' has none, its advisories are written by people.
  reader text not null,
  -- How a reader without code of its own reads the documents: a new government needs no release.
  mapping jsonb,
  url text,
  homepage text not null,
  language text not null default 'en',
  licence text not null,
  licence_url text,
  interval_seconds integer not null default 300 check (interval_seconds between 60 and 86400),
  -- Fewer entries than this in a complete list mean a changed format, not a safer world.
  minimum_items integer not null default 1 check (minimum_items >= 0),
  is_enabled boolean not null default true,
  -- Initial value for each new advisory of the source; an administrator may change it there.
  auto_notify boolean not null default true,
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
  -- Date of the extract shown until the source itself has responded.
  captured_on date,
  -- Lease of the node that fetches; expires by itself when the node dies.
  leased_until timestamptz,
  -- Removed by an administrator. The row stays, because its advisories and their history stay.
  retired_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (reader = 'manual' or url is not null),
  check (reader not in ('mapped-json', 'mapped-csv', 'rss', 'atom') or mapping is not null),
  check (retired_at is null or not is_enabled)
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
    case severity_level
      when 'emergency' then 5 when 'critical' then 4 when 'warning' then 3 when 'caution' then 2 else 1 end
  ) stored,
  advisory_type text not null default 'general' check (advisory_type in
    ('general', 'security', 'health', 'weather', 'political', 'entry_requirements', 'transport', 'other')),
  -- Every type the text names, the main one first: with one type alone, subscribers of the second would miss "crime and
  -- health". Null: not derived from the text yet; the next start does so.
  advisory_types text[] check (advisory_types <@
    array['security', 'health', 'weather', 'political', 'entry_requirements', 'transport']),
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
  -- CAP status, or the draft of an administrator. Only 'actual' is ever public; a word in a title decides nothing.
  status text not null default 'actual' check (status in ('actual', 'exercise', 'system', 'test', 'draft')),
  missing_since timestamptz,
  captured_on date,
  is_active boolean not null default true,
  is_urgent boolean not null default false,
  -- Marked urgent by the portal although the source does not; the portal never clears the flag of the source.
  urgent_by_portal boolean not null default false,
  -- Withdrawn by an administrator. Stays withdrawn until its source raises the level.
  withdrawn_at timestamptz,
  auto_notify boolean not null default false,
  -- A lower level that is not trusted yet: the level in force stays until the source repeats the lower one with a text,
  -- or an administrator accepts it.
  pending_severity_level text
    check (pending_severity_level in ('emergency', 'critical', 'warning', 'caution', 'info')),
  pending_wording text,
  pending_since timestamptz,
  pending_reason text check (pending_reason in ('no_text', 'two_levels', 'same_date', 'mass')),
  -- Hash of the document with the lower level: only another document repeats it.
  pending_document text,
  -- The parsed entry, for an administrator who accepts it.
  pending_item jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Folded by shared/countries/fold.ts at every write; searches in memory and in SQL use the same text.
  search_text text not null default '',
  check (expiry_date is null or effective_date is null or expiry_date >= effective_date),
  check (withdrawn_at is null or not is_active),
  check (is_urgent or not urgent_by_portal),
  check (num_nulls(pending_severity_level, pending_wording, pending_since, pending_reason) in (0, 4)),
  unique (source_id, external_id)
);
create index travel_advisories_order on travel_advisories (is_urgent desc, severity_rank desc, last_updated desc, id)
  where is_active and status = 'actual';
create index travel_advisories_managed on travel_advisories (last_updated desc, id);
create index travel_advisories_countries on travel_advisories using gin (country_codes);
create index travel_advisories_search on travel_advisories using gin (search_text gin_trgm_ops);
create index travel_advisories_unresolved on travel_advisories (source_id) where unresolved_countries <> '{}';
create index travel_advisories_untyped on travel_advisories (id) where advisory_types is null;
create index travel_advisories_pending on travel_advisories (source_id) where pending_since is not null;
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
  -- [{ field, before, after }]: the differences from the previous version; empty for the first.
  changes jsonb not null default '[]',
  primary key (advisory_id, version)
);
create index advisory_versions_recent on advisory_versions (recorded_at desc);

-- Not followed by the change log: each acknowledgment would drop every cached page. Nodes count new ones every few
-- seconds.
create table advisory_acknowledgments (
  advisory_id uuid not null references travel_advisories on delete cascade,
  user_id uuid not null,
  version integer not null,
  -- The time shown to the user.
  acknowledged_at timestamptz not null default now(),
  -- The time on the database's clock, which all nodes share.
  recorded_at timestamptz not null default now(),
  primary key (advisory_id, user_id)
);
create index advisory_acknowledgments_user on advisory_acknowledgments (user_id);
create index advisory_acknowledgments_recorded on advisory_acknowledgments (recorded_at);

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
  rejected jsonb not null default '[]',
  error text
);
create index feed_runs_source on feed_runs (source_id, started_at desc);
create index feed_runs_started on feed_runs (started_at);

do $$
declare tab text;
begin
  foreach tab in array array['advisory_sources', 'travel_advisories', 'advisory_versions', 'advisory_acknowledgments',
    'feed_runs'] loop
    execute format('alter table %I enable row level security, force row level security', tab);
    execute format('grant select, insert, update, delete on %I to portal_user, portal_service', tab);
  end loop;
end $$;
grant select on advisory_sources, travel_advisories, advisory_versions to portal_anonymous;

create policy sources_public on advisory_sources for select to portal_anonymous, portal_user using (true);
create policy sources_admin on advisory_sources for all to portal_user
  using (portal_role() = 'admin') with check (portal_role() = 'admin');
create policy sources_service on advisory_sources for all to portal_service using (true) with check (true);

create policy advisories_public on travel_advisories for select to portal_anonymous, portal_user
  using (status = 'actual');
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
create policy acknowledgments_service on advisory_acknowledgments for all to portal_service
  using (true) with check (true);

create policy runs_admin on feed_runs for select to portal_user using (portal_role() = 'admin');
create policy runs_service on feed_runs for all to portal_service using (true) with check (true);

call follow_publicly('advisory_sources', 'id', 'leased_until', 'next_attempt_at', 'etag', 'last_modified',
  'content_hash', 'updated_at');
call follow_publicly('travel_advisories', 'id');
