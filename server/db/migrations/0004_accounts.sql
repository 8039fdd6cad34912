-- Accounts: ways of signing in (kept by better-auth, with its table shapes), and who a person is to the portal. The
-- auth_ tables are for the login role alone: no portal role may read a password, a token or a secret.

create table auth_users (
  id uuid primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null default false,
  image text,
  phone_number text unique,
  phone_number_verified boolean,
  two_factor_enabled boolean default false,
  -- What was given when the account was made; profile_of_new_user reads it once.
  registration jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table auth_sessions (
  id uuid primary key,
  user_id uuid not null references auth_users on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  -- How the person came in, and when the second step was taken: null until it was.
  way text not null default 'supabase',
  second_factor_at timestamptz,
  user_agent text,
  ip_address text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index auth_sessions_user on auth_sessions (user_id);
create index auth_sessions_expires on auth_sessions (expires_at);

-- For programs: each is used once and gives the next. One that comes a second time was stolen from somebody.
create table auth_refresh_tokens (
  token_hash text primary key,
  session_id uuid not null references auth_sessions on delete cascade,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index auth_refresh_tokens_session on auth_refresh_tokens (session_id);

create table auth_accounts (
  id uuid primary key,
  user_id uuid not null references auth_users on delete cascade,
  provider_id text not null,
  account_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);
create index auth_accounts_user on auth_accounts (user_id);

create table auth_verifications (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index auth_verifications_identifier on auth_verifications (identifier);

create table auth_two_factors (
  id uuid primary key,
  user_id uuid not null references auth_users on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean,
  failed_verification_count integer,
  locked_until timestamptz
);
create unique index auth_two_factors_user on auth_two_factors (user_id);

create table auth_passkeys (
  id uuid primary key,
  user_id uuid not null references auth_users on delete cascade,
  name text,
  public_key text not null,
  credential_id text not null unique,
  counter bigint not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz
);
create index auth_passkeys_user on auth_passkeys (user_id);

-- What signs cookies where no AUTH_SECRET is configured: made once, the same for every node.
create table auth_secrets (
  name text primary key,
  value text not null
);

-- Tries per caller and subject, over all nodes. The key is a hash: no address is kept.
create table rate_limits (
  key text primary key,
  used integer not null,
  resets_at timestamptz not null
);
create index rate_limits_resets on rate_limits (resets_at);

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

create table user_profiles (
  id uuid primary key default gen_random_uuid(),
  auth_user_id uuid unique references auth_users on delete set null,
  person_id uuid unique references persons,
  email text not null,
  email_verified boolean not null default false,
  display_name text not null check (length(display_name) <= 200),
  role text not null default 'traveler' check (role in
    ('admin', 'mfa_coordinator', 'pdos_coordinator', 'local_servant', 'traveler', 'member', 'coordinator')),
  -- Where a role counts: null is everywhere, a list only there. After role_ends_at the person is a traveler again.
  scope_countries text[],
  scope_chapters uuid[],
  role_ends_at timestamptz,
  permissions text[] not null default '{}',
  profile_status text not null default 'pending' check (profile_status in ('pending', 'active', 'suspended', 'deleted')),
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
  emergency_contact jsonb not null default '{}',
  preferences jsonb not null default '{}',
  photo_file_id uuid,
  admin_notes text not null default '' check (length(admin_notes) <= 5000),
  terms_accepted_at timestamptz,
  last_login_at timestamptz,
  verified_at timestamptz,
  verified_by uuid references user_profiles,
  search_text text generated always as (lower(display_name || ' ' || email || ' ' || coalesce(mcgi_hub_id, ''))) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index user_profiles_email on user_profiles (lower(email));
create index user_profiles_list on user_profiles (profile_status, role, created_at desc);
create index user_profiles_role on user_profiles (role, id);
create index user_profiles_search on user_profiles using gin (search_text gin_trgm_ops);

create function portal_scope_countries() returns text[] language sql stable as
$$ select case when jsonb_typeof(portal_claims() -> 'scope' -> 'countries') = 'array'
     then array(select jsonb_array_elements_text(portal_claims() -> 'scope' -> 'countries')) end $$;
create function portal_scope_chapters() returns uuid[] language sql stable as
$$ select case when jsonb_typeof(portal_claims() -> 'scope' -> 'chapters') = 'array'
     then array(select jsonb_array_elements_text(portal_claims() -> 'scope' -> 'chapters')::uuid) end $$;
/* True where the caller's role counts: everywhere without a list, else where one of the countries is on it. */
create function portal_covers(places text[]) returns boolean language sql stable as
$$ select portal_scope_countries() is null or coalesce(places && portal_scope_countries(), false) $$;
create function portal_is_coordinator() returns boolean language sql stable as
$$ select portal_role() in ('mfa_coordinator', 'pdos_coordinator', 'local_servant') $$;

alter table persons enable row level security;
alter table persons force row level security;
alter table user_profiles enable row level security;
alter table user_profiles force row level security;
-- The login role reads sessions and makes profiles of new users.
create policy persons_login on persons for all to current_user using (true) with check (true);
create policy profiles_login on user_profiles for all to current_user using (true) with check (true);
create policy persons_service on persons for all to portal_service using (true) with check (true);
create policy profiles_service on user_profiles for all to portal_service using (true) with check (true);

create policy profiles_own on user_profiles for select to portal_user using (id = portal_user_id());
create policy profiles_own_change on user_profiles for update to portal_user
  using (id = portal_user_id()) with check (id = portal_user_id());
create policy profiles_admin on user_profiles for all to portal_user
  using (portal_role() = 'admin') with check (portal_role() = 'admin');
-- Coordinators see and verify the people of their countries, never one another.
create policy profiles_coordinator on user_profiles for select to portal_user
  using (portal_is_coordinator() and role in ('traveler', 'member') and profile_status <> 'deleted'
    and portal_covers(countries || country_code::text));
create policy profiles_coordinator_change on user_profiles for update to portal_user
  using (portal_is_coordinator() and role in ('traveler', 'member') and profile_status <> 'deleted'
    and portal_covers(countries || country_code::text))
  with check (portal_is_coordinator() and role in ('traveler', 'member'));
create policy persons_through_profile on persons for select to portal_user
  using (exists (select from user_profiles p where p.person_id = persons.id));
create policy persons_own_change on persons for update to portal_user
  using (exists (select from user_profiles p where p.person_id = persons.id and (p.id = portal_user_id() or portal_role() = 'admin')))
  with check (true);
create policy persons_admin_insert on persons for insert to portal_user with check (portal_role() = 'admin');
grant select, insert, update on persons, user_profiles to portal_user;
grant select, insert, update, delete on persons, user_profiles to portal_service;

-- What a person may not change about herself, nor a coordinator about others, whatever a handler forgets.
create function guard_profile_change() returns trigger language plpgsql as $$
declare
  own constant text[] := array['display_name', 'preferred_language', 'time_zone', 'country_code', 'countries',
    'emergency_contact', 'preferences', 'photo_file_id', 'terms_accepted_at', 'updated_at', 'search_text'];
  verifying constant text[] := array['profile_status', 'status_reason', 'is_flagged', 'verified_at', 'verified_by', 'updated_at',
    'search_text'];
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
    raise exception 'foreign_profile' using errcode = '42501', detail = 'A coordinator verifies or flags, nothing else.';
  end if;
  return new;
end $$;
create trigger guard_profile_change before update on user_profiles
  for each row execute function guard_profile_change();

-- The portal never stands without an administrator, also when two of them go in the same moment.
create function keep_one_admin() returns trigger language plpgsql security definer set search_path = public as $$
declare is_admin_after boolean := false;
begin
  if tg_op = 'UPDATE' then
    is_admin_after := new.role = 'admin' and new.profile_status in ('active', 'pending') and new.role_ends_at is null;
  end if;
  if old.role <> 'admin' or old.profile_status not in ('active', 'pending') or old.role_ends_at is not null or is_admin_after then
    return coalesce(new, old);
  end if;
  perform pg_advisory_xact_lock(hashtext('portal.last_admin'));
  if not exists (select from user_profiles where role = 'admin' and profile_status in ('active', 'pending')
      and role_ends_at is null and id <> old.id) then
    raise exception 'last_admin' using errcode = '23514', detail = 'The last administrator stays.';
  end if;
  return coalesce(new, old);
end $$;
create trigger keep_one_admin before update or delete on user_profiles
  for each row execute function keep_one_admin();

-- Whoever comes in for the first time, by whatever way, has a profile in the same transaction: a traveler, pending.
create function profile_of_new_user() returns trigger language plpgsql security definer set search_path = public as $$
declare
  given jsonb := new.registration;
  person uuid;
begin
  insert into persons (first_name, last_name, email, mcgi_id, person_types)
    values (
      coalesce(nullif(given ->> 'first_name', ''), left(new.name, 100)),
      coalesce(given ->> 'last_name', ''),
      new.email,
      given ->> 'mcgi_id',
      array(select jsonb_array_elements_text(coalesce(given -> 'person_types', '[]')))
    )
    returning id into person;
  insert into user_profiles (auth_user_id, person_id, email, email_verified, display_name, auth_provider,
      registration_method, mcgi_hub_id, preferred_language, country_code, phone_number, terms_accepted_at)
    values (new.id, person, new.email, new.email_verified, left(new.name, 200),
      coalesce(given ->> 'auth_provider', 'supabase'),
      coalesce(given ->> 'registration_method', 'email_signup'),
      given ->> 'mcgi_hub_id',
      coalesce(given ->> 'preferred_language', 'en'),
      given ->> 'country_code',
      new.phone_number,
      (given ->> 'terms_accepted_at')::timestamptz);
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
create trigger profile_follows_user after update of email, email_verified, phone_number, phone_number_verified on auth_users
  for each row execute function profile_follows_user();

-- Ends the sessions of a person: by herself, by an administrator, or by the portal.
create function end_sessions(of_profile uuid, keep_session uuid default null) returns integer
language plpgsql security definer set search_path = public as $$
declare ended integer;
begin
  if portal_claims() <> '{}' and portal_role() not in ('admin', 'service') and of_profile is distinct from portal_user_id() then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  delete from auth_sessions s using user_profiles p
    where p.id = of_profile and s.user_id = p.auth_user_id and s.id is distinct from keep_session;
  get diagnostics ended = row_count;
  return ended;
end $$;
revoke all on function end_sessions from public;
grant execute on function end_sessions to portal_user, portal_service;

-- Told in the portal itself: to one person, or to everybody of a group ('coordinator' stands for all of them, C-13).
create table notifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references user_profiles on delete cascade,
  recipient_role text,
  type text not null check (length(type) <= 60),
  title text not null check (length(title) <= 300),
  message text not null check (length(message) <= 5000),
  data jsonb not null default '{}',
  delivery_method text[] not null default '{in-app,email}',
  priority text not null default 'medium' check (priority in ('low', 'medium', 'high', 'urgent')),
  status text not null default 'pending' check (status in ('pending', 'scheduled', 'sent', 'failed')),
  action_url text check (action_url like '/%' and action_url not like '//%'),
  -- The same event told twice is one notification.
  event_key text unique,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  check ((user_id is null) <> (recipient_role is null))
);
create index notifications_user on notifications (user_id, created_at desc);
create index notifications_role on notifications (recipient_role, created_at desc) where recipient_role is not null;
create function portal_hears(group_name text) returns boolean language sql stable as
$$ select group_name = portal_role() or (group_name = 'coordinator' and portal_is_coordinator()) $$;
alter table notifications enable row level security;
alter table notifications force row level security;
create policy notifications_own on notifications for select to portal_user
  using (user_id = portal_user_id() or portal_hears(recipient_role) or portal_role() = 'admin');
create policy notifications_admin on notifications for all to portal_user
  using (portal_role() = 'admin') with check (portal_role() = 'admin');
create policy notifications_service on notifications for all to portal_service using (true) with check (true);
grant select, insert, update, delete on notifications to portal_user, portal_service;
