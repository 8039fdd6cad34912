-- A church is shown by the stricter of two rules: that of the country it names and that of the country its point lies in.

-- The country in whose borders and waters the point lies, written with every public row (server/churches/locating.ts).
-- Null without a point, on the high sea, and until the portal has looked at a point that was written by hand.
alter table locales add column located_in text check (located_in ~ '^[A-Z]{2}$');
alter table mfa_local_chapters add column located_in text check (located_in ~ '^[A-Z]{2}$');
create index locales_located on locales (located_in) where located_in is distinct from country_code;

create function forget_located() returns trigger language plpgsql as $$
begin
  if (new.latitude, new.longitude) is distinct from (old.latitude, old.longitude) then new.located_in := null; end if;
  return new;
end $$;
create trigger forget_located before update of latitude, longitude on locales
  for each row execute function forget_located();
create trigger forget_located before update of latitude, longitude on mfa_local_chapters
  for each row execute function forget_located();

/*
 * How much is told of a church that names `country`, and by its point lies in `place`: '*' is anywhere, where it has
 * neither. Its own mode comes before the rule of the country it names, but only where that is the country it lies in.
 * The one place that decides: short, so that PostgreSQL writes it into the query.
 */
create function effective_discreet_mode(own text, country text, country_rule text, place text, place_rule text)
returns text language sql immutable parallel safe as
$$ select case
     when country = place or discretion_level(coalesce(own, country_rule)) >= discretion_level(place_rule)
       then coalesce(own, country_rule, 'exact')
     else place_rule end $$;

/*
 * The rules of all countries, and as '*' the strictest of them; with `changed`, as they would be if that country had the
 * mode `becomes`. Also for those who look after a church and may not read the rules: what holds for it does not depend
 * on who asks.
 */
create function discretion_rules(changed text default null, becomes text default null)
returns table (country_code text, discreet_mode text) language sql stable rows 20
security definer set search_path = public as
$$ with rules as (
     select d.country_code, d.discreet_mode::text from country_discretion d where d.country_code is distinct from changed
     union all select changed, becomes where changed is not null and becomes is not null)
   select * from rules
   union all (select '*', r.discreet_mode from rules r order by discretion_level(r.discreet_mode) desc limit 1) $$;
revoke all on function discretion_rules from public;
grant execute on function discretion_rules to portal_user, portal_service;

/* The churches whose mode may depend on the rule of a country. */
create function locales_concerned(country text) returns setof uuid language sql stable as
$$ select l.id from locales l where l.country_code = country
   union select l.id from locales l where l.located_in = country and l.located_in is distinct from l.country_code
   union select l.id from locales l where l.located_in is null and (l.country_code is null or l.latitude is not null) $$;

-- A rule also concerns the churches whose point lies in its country, and those of which nobody can tell where they lie.
create or replace function withhold_locales() returns trigger language plpgsql security definer set search_path = public as $$
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
    delete from public_locales where id in (select c.id from unnest(changed) code cross join lateral locales_concerned(code) c (id));
  else
    delete from public_locales where id = any(changed::uuid[]);
  end if;
  return null;
end $$;

-- As in 0051; and a church that moves into a stricter country does not bring along a mode of its own that tells more.
create or replace function refuse_loosening_locale() returns trigger language plpgsql security definer set search_path = public as
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

/*
 * The chapters that visitors find: by city alone, to a tenth of a degree, and none where a country that counts is to be
 * discreet. A point nobody has looked at yet lies anywhere.
 */
create or replace view public_chapters as
  select c.id, c.chapter_name, c.city, c.state_province, c.country_code, c.languages_available, c.search_text,
    round(c.latitude::numeric, 1)::double precision as latitude, round(c.longitude::numeric, 1)::double precision as longitude
  from mfa_local_chapters c
    cross join lateral (select coalesce(c.located_in, case when c.latitude is null then c.country_code end, '*') as place) l
    left join country_discretion d on d.country_code = c.country_code
    left join (
      select r.country_code, r.discreet_mode::text as discreet_mode from country_discretion r
      union all (select '*', r.discreet_mode::text from country_discretion r order by discretion_level(r.discreet_mode) desc limit 1)
    ) p on p.country_code = l.place
  where c.is_public and c.chapter_status = 'active'
    and effective_discreet_mode(null, c.country_code, d.discreet_mode, l.place, p.discreet_mode) in ('exact', 'approximate');

-- What is shown so far of churches of which the portal has yet to see where they lie. It looks within minutes, and shows
-- again what may be shown.
delete from public_locales p using locales l
where l.id = p.id and (l.country_code is null or l.latitude is not null)
  and discretion_level(p.discreet_mode) < (select max(discretion_level(d.discreet_mode)) from country_discretion d);
