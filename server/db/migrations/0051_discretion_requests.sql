-- Telling more of a church than before takes a reason, and where its country says so a second administrator.
alter table country_discretion add column needs_second boolean not null default true;

create table discretion_requests (
  id uuid primary key default gen_random_uuid(),
  country_code text not null check (country_code ~ '^[A-Z]{2}$'),
  -- Null: the rule of the country.
  locale_id uuid,
  -- Null: no rule of its own any more.
  discreet_mode discreet_mode,
  -- Of the country's rule afterwards.
  needs_second boolean not null default true,
  reason text not null check (length(reason) between 1 and 500),
  -- Churches of which more is told, as they were counted when it was asked for.
  locales integer not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'applied', 'declined', 'withdrawn', 'expired')),
  requested_by uuid not null references user_profiles on delete cascade,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  decided_by uuid references user_profiles on delete set null,
  decided_at timestamptz,
  constraint discretion_requests_second check (status not in ('approved', 'applied') or decided_by is distinct from requested_by)
);
create unique index discretion_requests_pending on discretion_requests (country_code, coalesce(locale_id, '00000000-0000-0000-0000-000000000000'))
  where status = 'pending';
create index discretion_requests_by on discretion_requests (requested_by);

alter table discretion_requests enable row level security;
alter table discretion_requests force row level security;
grant select, insert, update, delete on discretion_requests to portal_service;
grant select, insert, update on discretion_requests to portal_user;
create policy discretion_requests_service on discretion_requests for all to portal_service using (true) with check (true);
create policy discretion_requests_owner on discretion_requests for select to current_user using (true);
create policy discretion_requests_admin on discretion_requests for select to portal_user using (portal_role() = 'admin');
create policy discretion_requests_admin_change on discretion_requests for update to portal_user using (portal_role() = 'admin')
  with check (portal_role() = 'admin' and (status not in ('approved', 'applied')
    or (decided_by = portal_user_id() and requested_by <> portal_user_id())));
create policy discretion_requests_admin_new on discretion_requests for insert to portal_user
  with check (portal_role() = 'admin' and requested_by = portal_user_id() and status = 'pending');

/* How little a mode tells: 0 everything, 3 nothing. */
create function discretion_level(mode text) returns integer language sql immutable as
$$ select case mode when 'hidden' then 3 when 'contact_only' then 2 when 'approximate' then 1 else 0 end $$;

/*
 * True in a transaction that was confirmed (portal.loosening is 'confirmed'), or, where the country asks for a second
 * administrator, that carries out a request another administrator approved (portal.loosening is its id).
 */
create function portal_may_loosen(country text, locale uuid) returns boolean language sql stable
  security definer set search_path = public as
$$ select case
     when coalesce(current_setting('portal.loosening', true), '') = '' then false
     when exists (select from country_discretion d where d.country_code = country and d.needs_second) then exists (
       select from discretion_requests r where r.id::text = current_setting('portal.loosening', true)
         and r.status = 'approved' and r.country_code = country and r.locale_id is not distinct from locale)
     else true end $$;

create function refuse_loosening_locale() returns trigger language plpgsql security definer set search_path = public as
$$
declare
  was text;
  now_is text := coalesce(new.discreet_mode::text,
    (select d.discreet_mode::text from country_discretion d where d.country_code = new.country_code));
  country text := new.country_code;
begin
  if tg_op = 'UPDATE' then
    country := old.country_code;
    was := coalesce(old.discreet_mode::text,
      (select d.discreet_mode::text from country_discretion d where d.country_code = old.country_code));
  else
    was := (select d.discreet_mode::text from country_discretion d where d.country_code = new.country_code);
  end if;
  if discretion_level(now_is) < discretion_level(was) and not portal_may_loosen(country, new.id) then
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
