-- Sources that administrators add: how their documents are read is data, so that a further government needs no release.
alter table advisory_sources
  add column mapping jsonb,
  -- Removed by an administrator. Its advisories and their history stay, so the row stays.
  add column retired_at timestamptz,
  add check (reader not in ('mapped-json', 'mapped-csv', 'rss', 'atom') or mapping is not null),
  add check (retired_at is null or not is_enabled);
