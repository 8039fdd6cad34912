-- Names of countries that an administrator resolved, and the cities near which people search.

-- The checked-in list holds all other names.
create table country_aliases (
  alias text primary key check (alias <> ''),
  country_code text not null check (country_code ~ '^[A-Z]{2}$'),
  created_at timestamptz not null default now()
);
alter table country_aliases enable row level security, force row level security;
create policy aliases_public on country_aliases for select to portal_anonymous, portal_user using (true);
create policy aliases_admin on country_aliases for all to portal_user
  using (portal_role() = 'admin') with check (portal_role() = 'admin');
create policy aliases_service on country_aliases for all to portal_service using (true) with check (true);
grant select on country_aliases to portal_anonymous;
grant select, insert, update, delete on country_aliases to portal_user, portal_service;
call follow_publicly('country_aliases', 'alias');

-- GeoNames cities of over 1,000 people (CC BY 4.0), loaded by a job at the first start.
create table cities (
  id integer primary key,
  name text not null,
  country_code text not null,
  state_province text,
  latitude double precision not null,
  longitude double precision not null,
  population integer not null,
  -- All names, folded, each between bars: '|tokyo|edo|'.
  search_text text not null
);
create index cities_search on cities using gin (search_text gin_trgm_ops);
alter table cities enable row level security, force row level security;
create policy cities_read on cities for select to portal_anonymous, portal_user using (true);
create policy cities_service on cities for all to portal_service using (true) with check (true);
grant select on cities to portal_anonymous, portal_user, portal_service;
grant insert, update, delete on cities to portal_service;
