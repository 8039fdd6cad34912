-- Churches: chapters and locales, the people and hours of each, and what the public may know of them.

-- How much is said in public of a church. exact: everything; approximate: city and area; contact_only: the country and
-- a way to write; hidden: nothing at all. A locale may have its own, a country the one for all its locales.
create domain discreet_mode as text check (value in ('exact', 'approximate', 'contact_only', 'hidden'));

create table country_discretion (
  country_code text primary key check (country_code ~ '^[A-Z]{2}$'),
  discreet_mode discreet_mode not null,
  reason text not null default '' check (length(reason) <= 500),
  updated_at timestamptz not null default now(),
  updated_by uuid
);

create table mfa_local_chapters (
  id uuid primary key default gen_random_uuid(),
  chapter_name text not null check (length(chapter_name) between 1 and 200),
  city text check (length(city) <= 120),
  state_province text check (length(state_province) <= 120),
  country_code text check (country_code ~ '^[A-Z]{2}$'),
  full_address text check (length(full_address) <= 500),
  contact_person text check (length(contact_person) <= 200),
  contact_position text check (length(contact_position) <= 120),
  contact_phone text check (length(contact_phone) <= 40),
  contact_email text check (length(contact_email) <= 320),
  chapter_status text not null default 'active' check (chapter_status in ('active', 'inactive', 'suspended')),
  compliance_status text not null default 'compliant' check (compliance_status in ('compliant', 'non_compliant', 'under_review')),
  membership_count integer not null default 0 check (membership_count >= 0),
  active_travelers_count integer not null default 0 check (active_travelers_count >= 0),
  facilities text[] not null default '{}',
  special_programs text[] not null default '{}',
  languages_available text[] not null default '{}',
  photos_urls text[] not null default '{}',
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  coordinator_id uuid references user_profiles on delete set null,
  -- Found by visitors, by name and city alone. Its contact never is.
  is_public boolean not null default false,
  search_text text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((latitude is null) = (longitude is null))
);
create index mfa_local_chapters_search on mfa_local_chapters using gin (search_text gin_trgm_ops);
create index mfa_local_chapters_name on mfa_local_chapters (chapter_name collate "C", id);
create index mfa_local_chapters_country on mfa_local_chapters (country_code);
create index mfa_local_chapters_coordinator on mfa_local_chapters (coordinator_id);

alter table user_profiles add column chapter_id uuid references mfa_local_chapters on delete set null;
create index user_profiles_chapter on user_profiles (chapter_id);

create table locales (
  id uuid primary key default gen_random_uuid(),
  -- What another system calls it, as 'lds:12345': an import finds its own rows again by it.
  external_id text unique check (length(external_id) between 1 and 120),
  name text not null check (length(name) between 1 and 200),
  common_name text check (length(common_name) <= 200),
  -- Name and address in the script of the place, to show to a driver.
  local_name text check (length(local_name) <= 200),
  local_address text check (length(local_address) <= 500),
  address_line1 text check (length(address_line1) <= 300),
  address_line2 text check (length(address_line2) <= 300),
  city text check (length(city) <= 120),
  state_province text check (length(state_province) <= 120),
  postal_code text check (length(postal_code) <= 20),
  country_code text check (country_code ~ '^[A-Z]{2}$'),
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  -- IANA name; services without one cannot be told in another zone.
  timezone text check (length(timezone) <= 60),
  phone text check (length(phone) <= 40),
  email text check (length(email) <= 320),
  website text check (website ~ '^https?://' and length(website) <= 500),
  online_url text check (online_url ~ '^https?://' and length(online_url) <= 500),
  languages text[] not null default '{}',
  has_physical_locale boolean not null default true,
  general_contact_available boolean not null default false,
  locale_status text not null default 'active' check (locale_status in ('active', 'inactive', 'closed')),
  is_public boolean not null default true,
  -- Null: as the country has it.
  discreet_mode discreet_mode,
  -- Closed for a time, through this day where it is known.
  closed_since date,
  closed_until date,
  closed_reason text check (length(closed_reason) <= 300),
  chapter_id uuid references mfa_local_chapters on delete set null,
  confirmed_at timestamptz,
  confirmed_by uuid references user_profiles on delete set null,
  confirmed_as text check (confirmed_as in ('admin', 'mfa_coordinator', 'local_servant', 'contact')),
  -- When somebody was last asked whether all this is still so.
  confirmation_asked_at timestamptz,
  created_at timestamptz not null default now(),
  -- Written by every change; whoever saves on top of another's change is refused by it.
  updated_at timestamptz not null default now(),
  check ((latitude is null) = (longitude is null)),
  -- The point off Africa where every missing coordinate ends up.
  check (not (latitude = 0 and longitude = 0)),
  check (closed_until is null or closed_since <= closed_until)
);
create index locales_name on locales (name collate "C", id);
create index locales_country on locales (country_code, state_province);
create index locales_chapter on locales (chapter_id);
create index locales_confirmed on locales (confirmed_at nulls first) where is_public and locale_status = 'active';
create index locales_managed on locales using gin ((lower(name || ' ' || coalesce(common_name, '') || ' ' || coalesce(city, '') || ' ' || coalesce(address_line1, ''))) gin_trgm_ops);

create table locale_servants (
  id uuid primary key default gen_random_uuid(),
  locale_id uuid not null references locales on delete cascade,
  -- With an account, the person keeps the locale's own record up to date.
  user_id uuid references user_profiles on delete set null,
  name text not null check (length(name) between 1 and 200),
  role text not null default 'local_servant' check (length(role) <= 60),
  phone text check (length(phone) <= 40),
  email text check (length(email) <= 320),
  -- What the person agreed to, each for itself, and when.
  is_name_public boolean not null default false,
  is_contact_public boolean not null default false,
  agreed_at timestamptz,
  position smallint not null default 0,
  check (agreed_at is not null or not (is_name_public or is_contact_public)),
  check (is_name_public or not is_contact_public)
);
create index locale_servants_locale on locale_servants (locale_id, position);
create index locale_servants_user on locale_servants (user_id);

create table locale_schedules (
  id uuid primary key default gen_random_uuid(),
  locale_id uuid not null references locales on delete cascade,
  -- 0 is Sunday. Every week on this day, or by the rule.
  day_of_week smallint check (day_of_week between 0 and 6),
  -- RFC 5545 without DTSTART, as 'FREQ=MONTHLY;BYDAY=-1SA'; counted from starts_on.
  recurrence text check (length(recurrence) <= 300),
  starts_on date,
  ends_on date,
  -- On the clock of the locale's time zone. An end before the start is on the next day.
  start_time time not null,
  end_time time,
  service_type text not null check (service_type in ('prayer_meeting', 'worship_service', 'thanksgiving', 'other')),
  title text check (length(title) <= 120),
  language text check (length(language) <= 35),
  is_online boolean not null default false,
  online_url text check (online_url ~ '^https?://' and length(online_url) <= 500),
  note text check (length(note) <= 300),
  position smallint not null default 0,
  check ((day_of_week is null) <> (recurrence is null)),
  check (recurrence is null or starts_on is not null)
);
create index locale_schedules_locale on locale_schedules (locale_id, position);

create table locale_photos (
  locale_id uuid not null references locales on delete cascade,
  file_id uuid not null references stored_files on delete cascade,
  description text not null default '' check (length(description) <= 300),
  position smallint not null default 0,
  primary key (locale_id, file_id)
);
create index locale_photos_file on locale_photos (file_id);

/*
 * What anyone may know: written from the tables above by one function of the portal (server/churches/projection.ts), which
 * leaves out what the mode withholds. Pages, answers, searches, distances, feeds and exports for the public read only this
 * table, so none can say more than stands here.
 */
create table public_locales (
  id uuid primary key references locales on delete cascade,
  discreet_mode discreet_mode not null check (discreet_mode <> 'hidden'),
  name text not null,
  common_name text,
  local_name text,
  local_address text,
  address_line1 text,
  address_line2 text,
  city text,
  state_province text,
  postal_code text,
  country_code text,
  latitude double precision,
  longitude double precision,
  timezone text,
  phone text,
  email text,
  website text,
  online_url text,
  languages text[] not null,
  has_physical_locale boolean not null,
  general_contact_available boolean not null,
  closed_since date,
  closed_until date,
  closed_reason text,
  chapter_name text,
  confirmed_at timestamptz,
  confirmed_as text,
  servants jsonb not null default '[]',
  schedules jsonb not null default '[]',
  photos jsonb not null default '[]',
  -- Folded by the one function that folds what is searched for.
  search_text text not null
);
create index public_locales_search on public_locales using gin (search_text gin_trgm_ops);
create index public_locales_name on public_locales (name collate "C", id);
create index public_locales_country on public_locales (country_code, name collate "C", id);
create index public_locales_point on public_locales using gist (point(longitude, latitude)) where latitude is not null;
call follow_publicly('public_locales', 'id');

-- A change of anything that the public row is made from removes it. The portal writes it anew in the same transaction;
-- whoever changes the tables by hand leaves the locale out of sight until the portal has looked at it again.
-- First argument: the column that names the locale, or with 'country' the country of all that are meant.
create function withhold_locales() returns trigger language plpgsql security definer set search_path = public as $$
declare changed text[];
begin
  if tg_op = 'DELETE' then
    changed := array(select to_jsonb(o) ->> tg_argv[0] from old_rows o);
  elsif tg_op = 'INSERT' then
    changed := array(select to_jsonb(n) ->> tg_argv[0] from new_rows n);
  else
    changed := array(select to_jsonb(o) ->> tg_argv[0] from old_rows o union select to_jsonb(n) ->> tg_argv[0] from new_rows n);
  end if;
  if tg_argv[0] = 'country_code' then
    delete from public_locales where id in (select id from locales where country_code = any(changed));
  else
    delete from public_locales where id = any(changed::uuid[]);
  end if;
  return null;
end $$;
create procedure withhold_on_change(tab regclass, key text) language plpgsql as $$
begin
  execute format('create trigger withhold_insert after insert on %s referencing new table as new_rows for each statement execute function withhold_locales(%L)', tab, key);
  execute format('create trigger withhold_update after update on %s referencing old table as old_rows new table as new_rows for each statement execute function withhold_locales(%L)', tab, key);
  execute format('create trigger withhold_delete after delete on %s referencing old table as old_rows for each statement execute function withhold_locales(%L)', tab, key);
end $$;
call withhold_on_change('locales', 'id');
call withhold_on_change('locale_servants', 'locale_id');
call withhold_on_change('locale_schedules', 'locale_id');
call withhold_on_change('locale_photos', 'locale_id');
call withhold_on_change('country_discretion', 'country_code');

/* Great-circle distance in km on a sphere of 6371 km (LOC-DATA-19). */
create function distance_km(lat1 double precision, lng1 double precision, lat2 double precision, lng2 double precision)
returns double precision language sql immutable parallel safe as
$$ select 2 * 6371 * asin(least(1, sqrt(
     sin(radians(lat2 - lat1) / 2) ^ 2 + cos(radians(lat1)) * cos(radians(lat2)) * sin(radians(lng2 - lng1) / 2) ^ 2))) $$;

/* LOC-API-14. */
create function get_public_locales() returns setof public_locales language sql stable as
$$ select * from public_locales order by name collate "C", id $$;

-- Places to search near to: GeoNames cities of over 1,000 people (CC BY 4.0), loaded by a job at the first start.
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
alter table cities enable row level security;
alter table cities force row level security;
create policy cities_read on cities for select to portal_anonymous, portal_user using (true);
create policy cities_service on cities for all to portal_service using (true) with check (true);
grant select on cities to portal_anonymous, portal_user, portal_service;
grant insert, update, delete on cities to portal_service;

-- What visitors say is wrong. Never shown to anyone but those who look after the locale.
create table locale_corrections (
  id uuid primary key default gen_random_uuid(),
  locale_id uuid not null references locales on delete cascade,
  kind text not null check (kind in ('wrong', 'closed', 'moved', 'other')),
  -- Field names of the locale with the value that the visitor thinks is right.
  proposed jsonb not null default '{}',
  message text not null default '' check (length(message) <= 2000),
  contact text check (length(contact) <= 320),
  language text not null default 'en',
  status text not null default 'open' check (status in ('open', 'applied', 'declined')),
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by uuid references user_profiles on delete set null,
  decision_note text check (length(decision_note) <= 500),
  check ((status = 'open') = (decided_at is null))
);
create index locale_corrections_open on locale_corrections (created_at) where status = 'open';
create index locale_corrections_locale on locale_corrections (locale_id, created_at desc);

-- What visitors write to a congregation: a question, or that they are coming. Passed on without showing an address.
create table locale_messages (
  id uuid primary key default gen_random_uuid(),
  locale_id uuid not null references locales on delete cascade,
  kind text not null check (kind in ('question', 'arrival')),
  sender_name text not null check (length(sender_name) between 1 and 200),
  sender_contact text not null check (length(sender_contact) between 3 and 320),
  arrives_on date,
  language text not null default 'en' check (length(language) <= 35),
  message text not null default '' check (length(message) <= 2000),
  status text not null default 'open' check (status in ('open', 'answered')),
  -- How many servants it was sent to; 0: a coordinator has to.
  passed_on_to integer not null default 0,
  created_at timestamptz not null default now(),
  answered_at timestamptz,
  answered_by uuid references user_profiles on delete set null,
  check ((status = 'open') = (answered_at is null))
);
create index locale_messages_open on locale_messages (created_at) where status = 'open';
create index locale_messages_locale on locale_messages (locale_id, created_at desc);

-- An import is a plan first: what would happen to each row, committed as it stands or not at all, and taken back whole.
create table locale_imports (
  id uuid primary key default gen_random_uuid(),
  file_name text not null check (length(file_name) <= 200),
  sha256 text not null,
  -- The columns of the file in order, and which field each one gives.
  columns text[] not null,
  mapping jsonb not null default '{}',
  -- Goes before the file's own ids, so that two files cannot mean each other's rows.
  id_prefix text not null default '' check (length(id_prefix) <= 40),
  status text not null check (status in ('uploaded', 'planned', 'committed', 'undone')),
  row_count integer not null,
  counts jsonb not null default '{}',
  created_by uuid references user_profiles on delete set null,
  created_at timestamptz not null default now(),
  planned_at timestamptz,
  committed_at timestamptz,
  undone_at timestamptz
);
create index locale_imports_created on locale_imports (created_at desc);
create table locale_import_rows (
  import_id uuid not null references locale_imports on delete cascade,
  row_number integer not null,
  -- The cells as they stand in the file.
  cells jsonb not null,
  action text check (action in ('create', 'update', 'unchanged', 'skip', 'error')),
  locale_id uuid,
  -- Of the locale when the plan was made: committed only while it is still this.
  seen_updated_at timestamptz,
  -- Fields that the plan writes.
  fields jsonb,
  -- For an update, the same fields as they were; for undo, the whole row before the commit.
  before jsonb,
  -- The row's updated_at after the commit: undone only while it is still this.
  written_updated_at timestamptz,
  problem text,
  -- Locales that may be the same church, for a person to judge.
  duplicates jsonb not null default '[]',
  primary key (import_id, row_number)
);
create index locale_import_rows_action on locale_import_rows (import_id, action, row_number);

-- Who looks after a locale: the admin, a coordinator within the own countries and chapters, a servant with an account on its list.
-- security definer, since the policies of these tables ask each other.
create function portal_serves(place uuid) returns boolean language sql stable security definer set search_path = public as
$$ select exists (select from locale_servants s where s.locale_id = place and s.user_id = portal_user_id()) $$;
create function portal_coordinates(country text, chapter uuid) returns boolean language sql stable as
$$ select portal_role() = 'mfa_coordinator'
     and (portal_covers(array[country]) or coalesce(chapter = any(portal_scope_chapters()), false)) $$;
create function portal_looks_after(place uuid, country text, chapter uuid) returns boolean language sql stable as
$$ select portal_role() = 'admin' or portal_coordinates(country, chapter)
     or (portal_role() = 'local_servant' and portal_serves(place)) $$;
create function portal_looks_after(place uuid) returns boolean language sql stable security definer set search_path = public as
$$ select coalesce((select portal_looks_after(l.id, l.country_code, l.chapter_id) from locales l where l.id = place), false) $$;

do $$
declare tab text;
begin
  foreach tab in array array['country_discretion', 'mfa_local_chapters', 'locales', 'locale_servants', 'locale_schedules',
    'locale_photos', 'public_locales', 'locale_corrections', 'locale_messages', 'locale_imports', 'locale_import_rows'] loop
    execute format('alter table %I enable row level security', tab);
    execute format('alter table %I force row level security', tab);
    execute format('grant select, insert, update, delete on %I to portal_user, portal_service', tab);
    execute format('create policy %I on %I for all to portal_service using (true) with check (true)', tab || '_service', tab);
    execute format('create policy %I on %I for all to portal_user using (portal_role() = ''admin'') with check (portal_role() = ''admin'')', tab || '_admin', tab);
    -- What the functions above read and write, which belong to the login role.
    execute format('create policy %I on %I for all to current_user using (true) with check (true)', tab || '_owner', tab);
  end loop;
  foreach tab in array array['locale_servants', 'locale_schedules', 'locale_photos', 'locale_corrections', 'locale_messages'] loop
    execute format('create policy %I on %I for all to portal_user using (portal_looks_after(locale_id)) with check (portal_looks_after(locale_id))', tab || '_care', tab);
  end loop;
end $$;
create policy country_discretion_read on country_discretion for select to portal_user using (portal_is_coordinator());
create policy locales_care on locales for select to portal_user using (portal_looks_after(id, country_code, chapter_id));
create policy locales_care_change on locales for update to portal_user
  using (portal_looks_after(id, country_code, chapter_id)) with check (portal_looks_after(id, country_code, chapter_id));
create policy public_locales_read on public_locales for select to portal_anonymous, portal_user using (true);
create policy public_locales_care on public_locales for all to portal_user
  using (portal_looks_after(id)) with check (portal_looks_after(id));
grant select on public_locales to portal_anonymous;
create policy chapters_coordinator on mfa_local_chapters for select to portal_user
  using (portal_coordinates(country_code, id));
create policy chapters_coordinator_change on mfa_local_chapters for update to portal_user
  using (portal_coordinates(country_code, id));

/* The chapters that visitors find. By city alone, to a tenth of a degree, and none where its country is to be discreet. */
create view public_chapters as
  select c.id, c.chapter_name, c.city, c.state_province, c.country_code, c.languages_available, c.search_text,
    round(c.latitude::numeric, 1)::double precision as latitude, round(c.longitude::numeric, 1)::double precision as longitude
  from mfa_local_chapters c left join country_discretion d using (country_code)
  where c.is_public and c.chapter_status = 'active' and coalesce(d.discreet_mode, 'exact') in ('exact', 'approximate');
grant select on public_chapters to portal_anonymous, portal_user, portal_service;
