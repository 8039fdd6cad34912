-- Churches: chapters and locales, with the servants, services and photos of each, and who looks after them.

-- How much the public may know of a church. exact: everything; approximate: city and area; contact_only: the country
-- and a contact form; hidden: nothing.
create domain discreet_mode as text check (value in ('exact', 'approximate', 'contact_only', 'hidden'));

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
  compliance_status text not null default 'compliant'
    check (compliance_status in ('compliant', 'non_compliant', 'under_review')),
  membership_count integer not null default 0 check (membership_count >= 0),
  active_travelers_count integer not null default 0 check (active_travelers_count >= 0),
  facilities text[] not null default '{}',
  special_programs text[] not null default '{}',
  languages_available text[] not null default '{}',
  photos_urls text[] not null default '{}',
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  -- As in locales.
  located_in text check (located_in ~ '^[A-Z]{2}$'),
  coordinator_id uuid references user_profiles on delete set null,
  -- Visitors may find it, by name and city alone. Its contact is never public.
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
create index mfa_local_chapters_latitude on mfa_local_chapters (latitude) where latitude is not null;

alter table user_profiles add foreign key (chapter_id) references mfa_local_chapters on delete set null;

create table locales (
  id uuid primary key default gen_random_uuid(),
  -- Its id in another system, such as 'lds:12345': an import recognises its rows by it.
  external_id text unique check (length(external_id) between 1 and 120),
  name text not null check (length(name) between 1 and 200),
  common_name text check (length(common_name) <= 200),
  -- Name and address in the local script, to show to a driver.
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
  -- The country in whose borders and waters the point lies (server/churches/locating.ts). Null without a point, on the
  -- high sea, and until the portal has located a point that was written directly.
  located_in text check (located_in ~ '^[A-Z]{2}$'),
  -- IANA name; without one, services cannot be shown in another time zone.
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
  -- Null: the rule of the country.
  discreet_mode discreet_mode,
  -- Temporarily closed, through this day if it is known.
  closed_since date,
  closed_until date,
  closed_reason text check (length(closed_reason) <= 300),
  chapter_id uuid references mfa_local_chapters on delete set null,
  confirmed_at timestamptz,
  confirmed_by uuid references user_profiles on delete set null,
  confirmed_as text check (confirmed_as in ('admin', 'mfa_coordinator', 'local_servant', 'contact')),
  -- When a confirmation of the details was last requested.
  confirmation_requested_at timestamptz,
  created_at timestamptz not null default now(),
  -- Changes with every update; saving over the change of another user is refused by it.
  updated_at timestamptz not null default now(),
  check ((latitude is null) = (longitude is null)),
  -- The point off Africa where missing coordinates end up.
  check (not (latitude = 0 and longitude = 0)),
  check (closed_until is null or closed_since <= closed_until)
);
create index locales_name on locales (name collate "C", id);
create index locales_country on locales (country_code, state_province);
create index locales_chapter on locales (chapter_id);
create index locales_latitude on locales (latitude) where latitude is not null;
create index locales_located on locales (located_in) where located_in is distinct from country_code;
create index locales_confirmed on locales (confirmed_at nulls first) where is_public and locale_status = 'active';
create index locales_confirmation_requested on locales (confirmation_requested_at nulls first)
  where is_public and locale_status = 'active';
create index locales_managed on locales using gin ((lower(name || ' ' || coalesce(common_name, '') || ' '
  || coalesce(city, '') || ' ' || coalesce(address_line1, ''))) gin_trgm_ops);

create table locale_servants (
  id uuid primary key default gen_random_uuid(),
  locale_id uuid not null references locales on delete cascade,
  -- With an account, the servant maintains the record of the locale.
  user_id uuid references user_profiles on delete set null,
  name text not null check (length(name) between 1 and 200),
  role text not null default 'local_servant' check (length(role) <= 60),
  phone text check (length(phone) <= 40),
  email text check (length(email) <= 320),
  -- What the servant consented to publish, and when.
  is_name_public boolean not null default false,
  is_contact_public boolean not null default false,
  agreed_at timestamptz,
  position smallint not null default 0,
  check (agreed_at is not null or not (is_name_public or is_contact_public)),
  check (is_name_public or not is_contact_public)
);
create index locale_servants_locale on locale_servants (locale_id, position);
create index locale_servants_user on locale_servants (user_id);
create index locale_servants_email on locale_servants (lower(email)) where email is not null;
create index locale_servants_phone_tail on locale_servants (portal_phone_tail(phone)) where phone is not null;

create table locale_schedules (
  id uuid primary key default gen_random_uuid(),
  locale_id uuid not null references locales on delete cascade,
  -- 0 is Sunday. Every week on this day, or by the rule.
  day_of_week smallint check (day_of_week between 0 and 6),
  -- RFC 5545 without DTSTART, as 'FREQ=MONTHLY;BYDAY=-1SA'; starts at starts_on.
  recurrence text check (length(recurrence) <= 300),
  starts_on date,
  ends_on date,
  -- Local time of the locale. An end before the start is on the next day.
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

-- Who looks after a locale: administrators, coordinators in their scope, and servants with an account on its list.
-- security definer, since the policies of these tables depend on one another.
create function portal_serves(place uuid) returns boolean language sql stable
  security definer set search_path = public as
$$ select exists (select from locale_servants s where s.locale_id = place and s.user_id = portal_user_id()) $$;
create function portal_served() returns uuid[] language sql stable
  security definer set search_path = public as
$$ select coalesce(array_agg(s.locale_id), '{}') from locale_servants s where s.user_id = portal_user_id() $$;
create function portal_coordinates(country text, chapter uuid) returns boolean language sql stable as
$$ select portal_role() = 'mfa_coordinator'
     and (portal_covers(array[country]) or coalesce(chapter = any(portal_scope_chapters()), false)) $$;
create function portal_looks_after(place uuid, country text, chapter uuid) returns boolean language sql stable as
$$ select portal_role() = 'admin' or portal_coordinates(country, chapter)
     or (portal_role() = 'local_servant' and portal_serves(place)) $$;
create function portal_looks_after(place uuid) returns boolean language sql stable
  security definer set search_path = public as
$$ select coalesce(
     (select portal_looks_after(l.id, l.country_code, l.chapter_id) from locales l where l.id = place), false) $$;

/* The chapters that the caller leads. */
create function portal_led_chapters() returns setof uuid language sql stable
  security definer set search_path = public as
$$ select c.id from mfa_local_chapters c where c.coordinator_id = portal_user_id() $$;

/* The caller's own chapter by name and city; its record is only for those who look after it. */
create function portal_own_chapter() returns table (id uuid, chapter_name text, city text, country_code text)
language sql stable security definer set search_path = public as
$$ select c.id, c.chapter_name, c.city, c.country_code from mfa_local_chapters c
     join user_profiles p on p.chapter_id = c.id where p.id = portal_user_id() $$;
revoke all on function portal_own_chapter from public;
grant execute on function portal_own_chapter to portal_user;

do $$
declare tab text;
begin
  foreach tab in array array['mfa_local_chapters', 'locales', 'locale_servants', 'locale_schedules',
    'locale_photos'] loop
    execute format('alter table %I enable row level security, force row level security', tab);
    execute format('grant select, insert, update, delete on %I to portal_user, portal_service', tab);
    execute format('create policy %I on %I for all to portal_service using (true) with check (true)',
      tab || '_service', tab);
    -- For the functions with security definer, which belong to the login role.
    execute format('create policy %I on %I for all to current_user using (true) with check (true)',
      tab || '_owner', tab);
    continue when tab = 'locales';
    execute format('create policy %I on %I for all to portal_user
      using (portal_role() = ''admin'') with check (portal_role() = ''admin'')', tab || '_admin', tab);
  end loop;
  foreach tab in array array['locale_servants', 'locale_schedules', 'locale_photos'] loop
    execute format('create policy %I on %I for all to portal_user
      using (portal_looks_after(locale_id)) with check (portal_looks_after(locale_id))', tab || '_care', tab);
  end loop;
end $$;

-- portal_looks_after for a list: sub-selects read the claims once for a query, not for each of 100,000 rows.
create policy locales_admin on locales for all to portal_user
  using ((select portal_role()) = 'admin') with check ((select portal_role()) = 'admin');
create policy locales_care on locales for select to portal_user using (
  ((select portal_role()) = 'mfa_coordinator' and (
    ((select portal_scope_countries()) is null and (select portal_scope_chapters()) is null)
    or country_code = any ((select portal_scope_countries())::text[])
    or chapter_id = any ((select portal_scope_chapters())::uuid[])))
  or ((select portal_role()) = 'local_servant' and id = any ((select portal_served())::uuid[])));
create policy locales_care_change on locales for update to portal_user
  using (portal_looks_after(id, country_code, chapter_id))
  with check (portal_looks_after(id, country_code, chapter_id));

create policy chapters_coordinator on mfa_local_chapters for select to portal_user
  using (portal_coordinates(country_code, id));
create policy chapters_coordinator_change on mfa_local_chapters for update to portal_user
  using (portal_coordinates(country_code, id));

-- Which fields of a chapter a coordinator may change, whatever a handler forgets.
create function guard_chapter_change() returns trigger language plpgsql as $$
declare
  caring constant text[] := array['membership_count', 'active_travelers_count', 'contact_person', 'contact_position',
    'contact_phone', 'contact_email', 'updated_at'];
begin
  if current_user = 'portal_user' and portal_role() <> 'admin'
    and to_jsonb(new) - caring is distinct from to_jsonb(old) - caring then
    raise exception 'foreign_chapter' using errcode = '42501',
      detail = 'A coordinator changes counts and contact, nothing else.';
  end if;
  return new;
end $$;
create trigger guard_chapter_change before update on mfa_local_chapters
  for each row execute function guard_chapter_change();

-- A moved point has to be located again.
create function forget_located() returns trigger language plpgsql as $$
begin
  if (new.latitude, new.longitude) is distinct from (old.latitude, old.longitude) then new.located_in := null; end if;
  return new;
end $$;
create trigger forget_located before update of latitude, longitude on locales
  for each row execute function forget_located();
create trigger forget_located before update of latitude, longitude on mfa_local_chapters
  for each row execute function forget_located();

/* Great-circle distance in km on a sphere of 6371 km (LOC-DATA-19). */
create function distance_km(lat1 double precision, lng1 double precision, lat2 double precision, lng2 double precision)
returns double precision language sql immutable parallel safe as
$$ select 2 * 6371 * asin(least(1, sqrt(
     sin(radians(lat2 - lat1) / 2) ^ 2
     + cos(radians(lat1)) * cos(radians(lat2)) * sin(radians(lng2 - lng1) / 2) ^ 2))) $$;
