-- What the public may know of churches: the rule of each country, the public rows, and who may loosen a rule.

/* How little a mode shows: 0 everything, 3 nothing. */
create function discretion_level(mode text) returns integer language sql immutable as
$$ select case mode when 'hidden' then 3 when 'contact_only' then 2 when 'approximate' then 1 else 0 end $$;

create table country_discretion (
  country_code text primary key check (country_code ~ '^[A-Z]{2}$'),
  discreet_mode discreet_mode not null,
  reason text not null default '' check (length(reason) <= 500),
  -- Showing more takes a second administrator.
  needs_second boolean not null default true,
  updated_at timestamptz not null default now(),
  updated_by uuid
);

-- Requests to show more of a church than before.
create table discretion_requests (
  id uuid primary key default gen_random_uuid(),
  country_code text not null check (country_code ~ '^[A-Z]{2}$'),
  -- Null: the rule of the country.
  locale_id uuid,
  -- Null: no rule of its own any more.
  discreet_mode discreet_mode,
  -- New value of the country's rule.
  needs_second boolean not null default true,
  reason text not null check (length(reason) between 1 and 500),
  -- Churches of which more is shown, counted at the request.
  locales integer not null,
  status text not null default 'pending'
    check (status in ('pending', 'approved', 'applied', 'declined', 'withdrawn', 'expired')),
  requested_by uuid not null references user_profiles on delete cascade,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  decided_by uuid references user_profiles on delete set null,
  decided_at timestamptz,
  constraint discretion_requests_second
    check (status not in ('approved', 'applied') or decided_by is distinct from requested_by)
);
create unique index discretion_requests_pending on discretion_requests
  (country_code, coalesce(locale_id, '00000000-0000-0000-0000-000000000000')) where status = 'pending';
create index discretion_requests_by on discretion_requests (requested_by);

/*
 * The only source of public pages, responses, searches, distances, feeds and exports, so that none can show more.
 * Written by one function (server/churches/projection.ts), which leaves out what the mode withholds.
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
  -- Folded like every text that is searched.
  search_text text not null
);
create index public_locales_search on public_locales using gin (search_text gin_trgm_ops);
create index public_locales_name on public_locales (name collate "C", id);
create index public_locales_country on public_locales (country_code, name collate "C", id);
create index public_locales_point on public_locales using gist (point(longitude, latitude)) where latitude is not null;
call follow_publicly('public_locales', 'id');

do $$
declare tab text;
begin
  foreach tab in array array['country_discretion', 'public_locales'] loop
    execute format('alter table %I enable row level security, force row level security', tab);
    execute format('grant select, insert, update, delete on %I to portal_user, portal_service', tab);
    execute format('create policy %I on %I for all to portal_service using (true) with check (true)',
      tab || '_service', tab);
    execute format('create policy %I on %I for all to portal_user
      using (portal_role() = ''admin'') with check (portal_role() = ''admin'')', tab || '_admin', tab);
    -- For the functions below, which belong to the login role.
    execute format('create policy %I on %I for all to current_user using (true) with check (true)',
      tab || '_owner', tab);
  end loop;
end $$;
create policy country_discretion_read on country_discretion for select to portal_user using (portal_is_coordinator());
create policy public_locales_read on public_locales for select to portal_anonymous, portal_user using (true);
create policy public_locales_care on public_locales for all to portal_user
  using (portal_looks_after(id)) with check (portal_looks_after(id));
grant select on public_locales to portal_anonymous;

alter table discretion_requests enable row level security, force row level security;
grant select, insert, update, delete on discretion_requests to portal_service;
grant select, insert, update on discretion_requests to portal_user;
create policy discretion_requests_service on discretion_requests for all to portal_service
  using (true) with check (true);
create policy discretion_requests_owner on discretion_requests for select to current_user using (true);
create policy discretion_requests_admin on discretion_requests for select to portal_user
  using (portal_role() = 'admin');
create policy discretion_requests_admin_change on discretion_requests for update to portal_user
  using (portal_role() = 'admin')
  with check (portal_role() = 'admin' and (status not in ('approved', 'applied')
    or (decided_by = portal_user_id() and requested_by <> portal_user_id())));
create policy discretion_requests_admin_new on discretion_requests for insert to portal_user
  with check (portal_role() = 'admin' and requested_by = portal_user_id() and status = 'pending');

/*
 * The mode of a church in `country` whose point lies in `place`; '*' stands for an unknown place. The stricter rule of
 * the two wins (docs/decisions/0036-where-a-church-lies.md): its own mode comes before the rule of its country only
 * where that is the country it lies in. The only place that decides; short, so that PostgreSQL inlines it.
 */
create function effective_discreet_mode(own text, country text, country_rule text, place text, place_rule text)
returns text language sql immutable parallel safe as
$$ select case
     when country = place or discretion_level(coalesce(own, country_rule)) >= discretion_level(place_rule)
       then coalesce(own, country_rule, 'exact')
     else place_rule end $$;

/*
 * The rules of all countries, and as '*' the strictest of them; with `changed`, as they would be if that country had
 * the mode `becomes`. Also for those who look after a church and may not read the rules: the result must not depend on
 * the caller.
 */
create function discretion_rules(changed text default null, becomes text default null)
returns table (country_code text, discreet_mode text) language sql stable rows 20
security definer set search_path = public as
$$ with rules as (
     select d.country_code, d.discreet_mode::text from country_discretion d
       where d.country_code is distinct from changed
     union all select changed, becomes where changed is not null and becomes is not null)
   select * from rules
   union all (select '*', r.discreet_mode from rules r order by discretion_level(r.discreet_mode) desc limit 1) $$;
revoke all on function discretion_rules from public;
grant execute on function discretion_rules to portal_user, portal_service;

/* The churches whose mode may depend on the rule of a country: in it by name or by point, or of unknown place. */
create function locales_concerned(country text) returns setof uuid language sql stable as
$$ select l.id from locales l where l.country_code = country
   union select l.id from locales l where l.located_in = country and l.located_in is distinct from l.country_code
   union select l.id from locales l
     where l.located_in is null and (l.country_code is null or l.latitude is not null) $$;

-- A change of anything a public row is made from removes the row. The portal writes it again in the same transaction;
-- after a change in the tables directly, the locale is not public until the portal has checked it again.
-- Argument: the column with the id of the locale, or 'country_code' for all locales of a country.
create function withhold_locales() returns trigger language plpgsql security definer set search_path = public as $$
declare changed text[];
begin
  if tg_op = 'DELETE' then
    changed := array(select to_jsonb(o) ->> tg_argv[0] from old_rows o);
  elsif tg_op = 'INSERT' then
    changed := array(select to_jsonb(n) ->> tg_argv[0] from new_rows n);
  else
    changed := array(select to_jsonb(o) ->> tg_argv[0] from old_rows o
      union select to_jsonb(n) ->> tg_argv[0] from new_rows n);
  end if;
  if tg_argv[0] = 'country_code' then
    delete from public_locales where id in (
      select c.id from unnest(changed) code cross join lateral locales_concerned(code) c (id));
  else
    delete from public_locales where id = any(changed::uuid[]);
  end if;
  return null;
end $$;
create procedure withhold_on_change(tab regclass, key text) language plpgsql as $$
begin
  execute format('create trigger withhold_insert after insert on %s
    referencing new table as new_rows
    for each statement execute function withhold_locales(%L)', tab, key);
  execute format('create trigger withhold_update after update on %s
    referencing old table as old_rows new table as new_rows
    for each statement execute function withhold_locales(%L)', tab, key);
  execute format('create trigger withhold_delete after delete on %s
    referencing old table as old_rows
    for each statement execute function withhold_locales(%L)', tab, key);
end $$;
call withhold_on_change('locales', 'id');
call withhold_on_change('locale_servants', 'locale_id');
call withhold_on_change('locale_schedules', 'locale_id');
call withhold_on_change('locale_photos', 'locale_id');
call withhold_on_change('country_discretion', 'country_code');

/*
 * True in a transaction that was confirmed (portal.loosening is 'confirmed'), or, where the country requires a second
 * administrator, that applies a request another administrator approved (portal.loosening is its id).
 */
create function portal_may_loosen(country text, locale uuid) returns boolean language sql stable
  security definer set search_path = public as
$$ select case
     when coalesce(current_setting('portal.loosening', true), '') = '' then false
     when exists (select from country_discretion d where d.country_code = country and d.needs_second) then exists (
       select from discretion_requests r where r.id::text = current_setting('portal.loosening', true)
         and r.status = 'approved' and r.country_code = country and r.locale_id is not distinct from locale)
     else true end $$;

-- Also a church that moves into a stricter country keeps no own mode that shows more.
create function refuse_loosening_locale() returns trigger language plpgsql security definer set search_path = public as
$$
declare
  was text;
  rule text := (select d.discreet_mode::text from country_discretion d where d.country_code = new.country_code);
  now_is text := coalesce(new.discreet_mode::text, rule);
  country text := new.country_code;
begin
  if tg_op = 'UPDATE' then
    country := old.country_code;
    was := coalesce(old.discreet_mode::text,
      (select d.discreet_mode::text from country_discretion d where d.country_code = old.country_code));
  else
    was := rule;
  end if;
  if (discretion_level(now_is) < discretion_level(was) and not portal_may_loosen(country, new.id))
    or (new.country_code is distinct from country and discretion_level(now_is) < discretion_level(rule)
      and not portal_may_loosen(new.country_code, new.id)) then
    raise exception 'more would be told of a church than before' using errcode = 'MFA31';
  end if;
  return new;
end $$;
create trigger refuse_loosening before insert or update of discreet_mode, country_code on locales
  for each row execute function refuse_loosening_locale();

create function refuse_loosening_country() returns trigger language plpgsql security definer set search_path = public as
$$
begin
  if tg_op = 'DELETE' then
    if discretion_level(old.discreet_mode) > 0 and not portal_may_loosen(old.country_code, null) then
      raise exception 'more would be told of the churches of a country than before' using errcode = 'MFA31';
    end if;
    return old;
  end if;
  if (new.country_code <> old.country_code or discretion_level(new.discreet_mode) < discretion_level(old.discreet_mode)
      or (old.needs_second and not new.needs_second))
    and not portal_may_loosen(old.country_code, null) then
    raise exception 'more would be told of the churches of a country than before' using errcode = 'MFA31';
  end if;
  return new;
end $$;
create trigger refuse_loosening before update or delete on country_discretion
  for each row execute function refuse_loosening_country();

/* LOC-API-14. */
create function get_public_locales() returns setof public_locales language sql stable as
$$ select * from public_locales order by name collate "C", id $$;

/*
 * The chapters that visitors find: by city alone, to a tenth of a degree, and none where its country or the country it
 * lies in is discreet. A point that was not located yet may lie anywhere.
 */
create view public_chapters as
  select c.id, c.chapter_name, c.city, c.state_province, c.country_code, c.languages_available, c.search_text,
    round(c.latitude::numeric, 1)::double precision as latitude,
    round(c.longitude::numeric, 1)::double precision as longitude
  from mfa_local_chapters c
    cross join lateral (
      select coalesce(c.located_in, case when c.latitude is null then c.country_code end, '*') as place
    ) l
    left join country_discretion d on d.country_code = c.country_code
    left join (
      select r.country_code, r.discreet_mode::text as discreet_mode from country_discretion r
      union all (select '*', r.discreet_mode::text from country_discretion r
        order by discretion_level(r.discreet_mode) desc limit 1)
    ) p on p.country_code = l.place
  where c.is_public and c.chapter_status = 'active'
    and effective_discreet_mode(null, c.country_code, d.discreet_mode, l.place, p.discreet_mode)
      in ('exact', 'approximate');
grant select on public_chapters to portal_anonymous, portal_user, portal_service;
