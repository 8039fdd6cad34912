-- Who a user is to the portal: the person, the profile with role and scope, and who may change them.

create table persons (
  id uuid primary key default gen_random_uuid(),
  first_name text not null check (length(first_name) <= 100),
  last_name text not null default '' check (length(last_name) <= 100),
  email text,
  mcgi_id text,
  person_types text[] not null default '{}',
  status text not null default 'active' check (status in ('active', 'inactive', 'deceased', 'erased')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index persons_mcgi_id on persons (lower(mcgi_id)) where mcgi_id is not null;

create table user_profiles (
  id uuid primary key default gen_random_uuid(),
  auth_user_id uuid unique references auth_users on delete set null,
  person_id uuid unique references persons,
  email text not null,
  email_verified boolean not null default false,
  display_name text not null check (length(display_name) <= 200),
  role text not null default 'traveler' check (role in
    ('admin', 'mfa_coordinator', 'pdos_coordinator', 'local_servant', 'traveler', 'member', 'coordinator')),
  -- The scope: countries, chapters or, by choice and with a reason, everywhere.
  scope_countries text[],
  scope_chapters uuid[],
  scope_everywhere boolean not null default false,
  scope_reason text check (length(btrim(scope_reason)) between 1 and 500),
  -- After this the user is a traveler again.
  role_ends_at timestamptz,
  permissions text[] not null default '{}',
  profile_status text not null default 'pending'
    check (profile_status in ('pending', 'active', 'suspended', 'deleted')),
  status_reason text check (length(status_reason) <= 500),
  is_flagged boolean not null default false,
  auth_provider text not null default 'supabase' check (auth_provider in ('supabase', 'google', 'mcgi-hub')),
  registration_method text not null default 'email_signup' check (registration_method in
    ('email_signup', 'google_oauth', 'mcgi_hub', 'admin_created')),
  mcgi_hub_id text unique,
  preferred_language text not null default 'en',
  time_zone text,
  phone_number text,
  phone_verified boolean not null default false,
  country_code char(2),
  countries text[] not null default '{}' check (cardinality(countries) <= 30),
  -- References mfa_local_chapters and stored_files, which come later.
  chapter_id uuid,
  photo_file_id uuid,
  emergency_contact jsonb not null default '{}',
  preferences jsonb not null default '{}',
  admin_notes text not null default '' check (length(admin_notes) <= 5000),
  terms_accepted_at timestamptz,
  last_login_at timestamptz,
  verified_at timestamptz,
  verified_by uuid references user_profiles,
  search_text text generated always as (lower(display_name || ' ' || email || ' ' || coalesce(mcgi_hub_id, ''))) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A role that looks after people has a scope; without one it counts nowhere.
  constraint user_profiles_scope_required check (role not in ('mfa_coordinator', 'pdos_coordinator', 'local_servant')
    or scope_everywhere or cardinality(coalesce(scope_countries, '{}')) > 0
    or cardinality(coalesce(scope_chapters, '{}')) > 0),
  constraint user_profiles_scope_reason check (case when scope_everywhere
    then scope_reason is not null and scope_countries is null and scope_chapters is null else scope_reason is null end),
  constraint user_profiles_scope_of_role check (role in ('mfa_coordinator', 'pdos_coordinator', 'local_servant')
    or (not scope_everywhere and scope_countries is null and scope_chapters is null))
);
create index user_profiles_email on user_profiles (lower(email));
create index user_profiles_list on user_profiles (profile_status, role, created_at desc);
create index user_profiles_role on user_profiles (role, id);
create index user_profiles_search on user_profiles using gin (search_text gin_trgm_ops);
create index user_profiles_name on user_profiles (lower(display_name));
create index user_profiles_waiting on user_profiles (created_at, id) where profile_status = 'pending';
create index user_profiles_chapter on user_profiles (chapter_id);

/* The last digits of a number, however it is written: enough to find numbers that may be the same. */
create function portal_phone_tail(number text) returns text language sql immutable as
$$ select right(regexp_replace(
     translate(number, '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789'), '[^0-9]', '', 'g'), 7) $$;
create index user_profiles_phone on user_profiles (phone_number) where phone_number is not null;
create index user_profiles_phone_tail on user_profiles (portal_phone_tail(phone_number)) where phone_number is not null;
create index user_profiles_phone_search on user_profiles using gin (phone_number gin_trgm_ops)
  where phone_number is not null;

/* True where the scope of this user includes one of the countries, or the chapter. */
create function scope_covers(person user_profiles, places text[], chapter uuid) returns boolean language sql stable as
$$ select coalesce(person.role in ('mfa_coordinator', 'pdos_coordinator', 'local_servant') and (person.scope_everywhere
     or places && person.scope_countries or chapter = any(person.scope_chapters)), false) $$;

alter table persons enable row level security, force row level security;
alter table user_profiles enable row level security, force row level security;
grant select, insert, update on persons, user_profiles to portal_user;
grant select, insert, update, delete on persons, user_profiles to portal_service;

-- The login role reads sessions and creates the profiles of new users.
create policy persons_login on persons for all to current_user using (true) with check (true);
create policy profiles_login on user_profiles for all to current_user using (true) with check (true);
create policy persons_service on persons for all to portal_service using (true) with check (true);
create policy profiles_service on user_profiles for all to portal_service using (true) with check (true);

-- Claims are read in sub-selects, once for a statement instead of once for each of thousands of rows.
create policy profiles_own on user_profiles for select to portal_user using (id = (select portal_user_id()));
create policy profiles_own_change on user_profiles for update to portal_user
  using (id = (select portal_user_id())) with check (id = (select portal_user_id()));
create policy profiles_admin on user_profiles for all to portal_user
  using ((select portal_role() = 'admin')) with check ((select portal_role() = 'admin'));
-- Coordinators see and verify travelers and members in their scope, never one another.
create policy profiles_coordinator on user_profiles for select to portal_user
  using ((select portal_is_coordinator()) and role in ('traveler', 'member') and profile_status <> 'deleted'
    and case when (select portal_scope_countries() is null) then (select portal_scope_chapters() is null)
      else coalesce((countries || country_code::text) && (select portal_scope_countries()), false) end);
create policy profiles_coordinator_change on user_profiles for update to portal_user
  using ((select portal_is_coordinator()) and role in ('traveler', 'member') and profile_status <> 'deleted'
    and case when (select portal_scope_countries() is null) then (select portal_scope_chapters() is null)
      else coalesce((countries || country_code::text) && (select portal_scope_countries()), false) end)
  with check ((select portal_is_coordinator()) and role in ('traveler', 'member'));
create policy profiles_coordinator_chapters on user_profiles for select to portal_user
  using ((select portal_role() = 'mfa_coordinator') and role in ('traveler', 'member') and profile_status <> 'deleted'
    and coalesce(chapter_id = any((select portal_scope_chapters())::uuid[]), false));
create policy profiles_coordinator_chapters_change on user_profiles for update to portal_user
  using ((select portal_role() = 'mfa_coordinator') and role in ('traveler', 'member') and profile_status <> 'deleted'
    and coalesce(chapter_id = any((select portal_scope_chapters())::uuid[]), false))
  with check ((select portal_role() = 'mfa_coordinator') and role in ('traveler', 'member'));

create policy persons_through_profile on persons for select to portal_user
  using (exists (select from user_profiles p where p.person_id = persons.id));
create policy persons_own_change on persons for update to portal_user
  using (exists (select from user_profiles p
    where p.person_id = persons.id and (p.id = portal_user_id() or portal_role() = 'admin')))
  with check (true);
create policy persons_admin_insert on persons for insert to portal_user with check (portal_role() = 'admin');

-- Which fields a user may change on the own profile, and a coordinator on those of others, whatever a handler forgets.
create function guard_profile_change() returns trigger language plpgsql as $$
declare
  own constant text[] := array['display_name', 'preferred_language', 'time_zone', 'country_code', 'countries',
    'emergency_contact', 'preferences', 'photo_file_id', 'terms_accepted_at', 'updated_at', 'search_text'];
  verifying constant text[] := array['profile_status', 'status_reason', 'is_flagged', 'verified_at', 'verified_by',
    'updated_at', 'search_text'];
begin
  if current_user <> 'portal_user' or portal_role() = 'admin' then
    if portal_role() = 'admin' and new.id = portal_user_id() and new.role is distinct from old.role then
      raise exception 'own_role' using errcode = '42501', detail = 'Nobody changes the own role.';
    end if;
    return new;
  end if;
  if old.id = portal_user_id() then
    if to_jsonb(new) - own is distinct from to_jsonb(old) - own then
      raise exception 'own_profile' using errcode = '42501', detail = 'These fields are changed by an administrator.';
    end if;
  elsif to_jsonb(new) - verifying is distinct from to_jsonb(old) - verifying
    or (new.profile_status is distinct from old.profile_status
      and not (old.profile_status = 'pending' and new.profile_status = 'active')) then
    raise exception 'foreign_profile' using errcode = '42501',
      detail = 'A coordinator verifies or flags, nothing else.';
  end if;
  return new;
end $$;
create trigger guard_profile_change before update on user_profiles
  for each row execute function guard_profile_change();

-- On the own record as a person a user changes the name; the rest comes from the member hub or an administrator.
create function guard_person_change() returns trigger language plpgsql as $$
declare own constant text[] := array['first_name', 'last_name', 'updated_at'];
begin
  if current_user = 'portal_user' and portal_role() <> 'admin'
    and to_jsonb(new) - own is distinct from to_jsonb(old) - own then
    raise exception 'own_person' using errcode = '42501', detail = 'These fields are changed by an administrator.';
  end if;
  return new;
end $$;
create trigger guard_person_change before update on persons
  for each row execute function guard_person_change();

-- The portal always has an administrator, even when two of them leave at the same moment.
create function require_one_admin() returns trigger language plpgsql security definer set search_path = public as $$
declare is_admin_after boolean := false;
begin
  if tg_op = 'UPDATE' then
    is_admin_after := new.role = 'admin' and new.profile_status in ('active', 'pending') and new.role_ends_at is null;
  end if;
  if old.role <> 'admin' or old.profile_status not in ('active', 'pending') or old.role_ends_at is not null
    or is_admin_after then
    return coalesce(new, old);
  end if;
  perform pg_advisory_xact_lock(hashtext('portal.last_admin'));
  if not exists (select from user_profiles where role = 'admin' and profile_status in ('active', 'pending')
      and role_ends_at is null and id <> old.id) then
    raise exception 'last_admin' using errcode = '23514', detail = 'The last administrator stays.';
  end if;
  return coalesce(new, old);
end $$;
create trigger require_one_admin before update or delete on user_profiles
  for each row execute function require_one_admin();

-- A new user gets a profile in the same transaction, whatever the sign-in method: a traveler, pending.
create function profile_of_new_user() returns trigger language plpgsql security definer set search_path = public as $$
declare
  input jsonb := new.registration;
  person uuid;
begin
  insert into persons (first_name, last_name, email, mcgi_id, person_types)
    values (
      coalesce(nullif(input ->> 'first_name', ''), left(new.name, 100)),
      coalesce(input ->> 'last_name', ''),
      new.email,
      input ->> 'mcgi_id',
      array(select jsonb_array_elements_text(coalesce(input -> 'person_types', '[]')))
    )
    returning id into person;
  insert into user_profiles (auth_user_id, person_id, email, email_verified, display_name, auth_provider,
      registration_method, mcgi_hub_id, preferred_language, country_code, time_zone, phone_number, terms_accepted_at)
    values (new.id, person, new.email, new.email_verified, left(new.name, 200),
      coalesce(input ->> 'auth_provider', 'supabase'),
      coalesce(input ->> 'registration_method', 'email_signup'),
      input ->> 'mcgi_hub_id',
      coalesce(input ->> 'preferred_language', 'en'),
      input ->> 'country_code',
      input ->> 'time_zone',
      new.phone_number,
      (input ->> 'terms_accepted_at')::timestamptz);
  return new;
end $$;
create trigger profile_of_new_user after insert on auth_users
  for each row execute function profile_of_new_user();

create function profile_follows_user() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update user_profiles set email = new.email, email_verified = new.email_verified,
      phone_number = new.phone_number, phone_verified = coalesce(new.phone_number_verified, false), updated_at = now()
    where auth_user_id = new.id;
  return new;
end $$;
create trigger profile_follows_user
  after update of email, email_verified, phone_number, phone_number_verified on auth_users
  for each row execute function profile_follows_user();

create function notify_changed_users() returns trigger language plpgsql as $$
begin
  perform notify_access_change(array(
    select 'person:' || n.id from new_rows n join old_rows o using (id)
    where (n.role, n.profile_status, n.scope_countries, n.scope_chapters, n.role_ends_at, n.auth_user_id)
      is distinct from
      (o.role, o.profile_status, o.scope_countries, o.scope_chapters, o.role_ends_at, o.auth_user_id)));
  return null;
end $$;
create trigger notify_changed_users after update on user_profiles
  referencing old table as old_rows new table as new_rows for each statement execute function notify_changed_users();

-- Ends the sessions of a user: called by the user, an administrator or the portal itself.
create function end_sessions(of_profile uuid, keep_session uuid default null) returns integer
language plpgsql security definer set search_path = public as $$
declare ended integer;
begin
  if portal_claims() <> '{}' and portal_role() not in ('admin', 'service')
    and of_profile is distinct from portal_user_id() then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  delete from auth_sessions s using user_profiles p
    where p.id = of_profile and s.user_id = p.auth_user_id and s.id is distinct from keep_session;
  get diagnostics ended = row_count;
  return ended;
end $$;
revoke all on function end_sessions from public;
grant execute on function end_sessions to portal_user, portal_service;

/*
 * Removes every sign-in method of a user and what is stored for signing in; sessions, accounts, passkeys and second
 * factors go with the auth user. The portal calls it in the transaction that makes the profile anonymous.
 */
create function erase_sign_in(of_profile uuid) returns void
language plpgsql security definer set search_path = public as $$
declare who auth_users;
begin
  if portal_role() is distinct from 'service' then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select u.* into who from auth_users u join user_profiles p on p.auth_user_id = u.id where p.id = of_profile;
  if who.id is not null then
    delete from auth_verifications v
      where v.identifier = who.phone_number
        or right(v.identifier, length(who.email) + 5) = '-otp-' || who.email
        or position('"' || who.email || '"' in v.value) > 0
        or position(who.id::text in v.value) > 0;
    delete from auth_users where id = who.id;
  end if;
  update audit_log set before = impersonal(before), after = impersonal(after), reason = null
    where (subject_type in ('user', 'account', 'profile') and subject_id = of_profile::text)
      or (subject_type = 'file' and before ->> 'owner_id' = of_profile::text)
      -- For example the recorded response of a mail server.
      or position(who.email in concat_ws(' ', before, after, reason)) > 0;
end $$;
revoke all on function erase_sign_in from public;
grant execute on function erase_sign_in to portal_service;
