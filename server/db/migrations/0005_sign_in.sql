-- How people sign in. better-auth determines the shape of most auth_ tables. They are for the login role alone: no role
-- of the portal may read a password, a token or a secret.

create table auth_users (
  id uuid primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null default false,
  -- A method added or changed within a day does not confirm an identity (docs/decisions/0028-step-up.md).
  email_since timestamptz not null default now(),
  image text,
  phone_number text unique,
  phone_number_verified boolean,
  phone_since timestamptz,
  two_factor_enabled boolean default false,
  -- Input of the sign-up; profile_of_new_user reads it once.
  registration jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table auth_sessions (
  id uuid primary key,
  user_id uuid not null references auth_users on delete cascade,
  -- A hash, as hashToken in server/accounts/token-hash.ts makes it.
  token text not null unique,
  expires_at timestamptz not null,
  -- The method, and when it was added to the account; null: unknown.
  sign_in_method text not null default 'password',
  method_since timestamptz,
  -- When the second factor was given; null until then.
  second_factor_at timestamptz,
  -- When the password was entered again in this session.
  confirmed_at timestamptz,
  user_agent text,
  ip_address text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index auth_sessions_user on auth_sessions (user_id);
create index auth_sessions_expires on auth_sessions (expires_at);

-- For programs. Each is used once and yields the next; one that is used again was stolen.
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
  -- When the method was added, or its password last changed.
  since timestamptz not null default now(),
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
  locked_until timestamptz,
  -- Time step of the last accepted code: a code that was seen over a shoulder cannot be used again.
  last_step bigint,
  -- Also moves when the recovery codes are renewed.
  since timestamptz not null default now()
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
  since timestamptz not null default now(),
  created_at timestamptz
);
create index auth_passkeys_user on auth_passkeys (user_id);

-- The secret that signs cookies when AUTH_SECRET is not configured: made once, shared by all nodes.
create table auth_secrets (
  name text primary key,
  value text not null
);

-- Attempts per caller and subject, over all nodes. The key is a hash: no address is stored.
create table rate_limits (
  key text primary key,
  used integer not null,
  resets_at timestamptz not null
);
create index rate_limits_resets on rate_limits (resets_at);

-- Devices with a long-lived cookie, stored as a hash. One device may serve several accounts.
create table auth_devices (
  user_id uuid not null references auth_users on delete cascade,
  token_hash text not null,
  last_used_at timestamptz not null default now(),
  primary key (user_id, token_hash)
);
create index auth_devices_token on auth_devices (token_hash);

-- Networks from which an account signed in, as a keyed hash: no address can be read or guessed from the table.
create table auth_networks (
  user_id uuid not null references auth_users on delete cascade,
  network_hash text not null,
  last_used_at timestamptz not null default now(),
  primary key (user_id, network_hash)
);
create index auth_networks_network on auth_networks (network_hash, last_used_at);

-- The link or code last mailed to a recipient: a second request sends the same one again.
create table auth_mails (
  -- Hash of the kind and the recipient.
  key text primary key,
  -- Encrypted with the secret of the portal; null until there is one, and after it was used.
  secret text,
  secret_hash text,
  expires_at timestamptz,
  -- Mails of the current hour, which began at `counted_since`.
  sent integer not null default 0,
  counted_since timestamptz not null default now(),
  last_sent_at timestamptz
);
create index auth_mails_secret on auth_mails (secret_hash);

-- Failed attempts, counted in intervals of ten minutes. Stores nothing that was entered, and of a network only the
-- prefix (IPv4 /24, IPv6 /48).
create table sign_in_failures (
  at timestamptz not null,
  method text not null check (length(method) <= 20),
  reason text not null check (length(reason) <= 20),
  -- Null for an unknown account.
  auth_user_id uuid references auth_users on delete cascade,
  network text not null check (length(network) <= 50),
  count integer not null,
  unique nulls not distinct (at, method, reason, auth_user_id, network)
);
create index sign_in_failures_user on sign_in_failures (auth_user_id, at);

-- Changes of sign-in methods, so that the owner can undo them.
create table sign_in_changes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth_users on delete cascade,
  kind text not null check (kind in ('phone_added', 'phone_changed', 'phone_removed', 'email_changed', 'passkey_added',
    'passkey_removed', 'google_linked', 'google_unlinked', 'hub_linked', 'hub_unlinked', 'second_factor_added',
    'second_factor_removed', 'recovery_codes_renewed', 'password_set', 'password_changed',
    'password_removed')),
  -- What undoing restores. Never a password.
  former jsonb not null,
  -- Null where the owner can only be reached in the portal.
  undo_token_hash text unique,
  -- Not now(): two changes of which one waited for the other stay in order.
  changed_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  undone_at timestamptz
);
create index sign_in_changes_user on sign_in_changes (user_id, changed_at);
create index sign_in_changes_expires on sign_in_changes (expires_at);

do $$
declare tab text;
begin
  foreach tab in array array['auth_devices', 'auth_networks', 'auth_mails', 'sign_in_failures', 'sign_in_changes'] loop
    execute format('alter table %I enable row level security, force row level security', tab);
    execute format('create policy %I on %I for all to current_user using (true) with check (true)',
      tab || '_login', tab);
  end loop;
end $$;
create policy sign_in_failures_service on sign_in_failures for all to portal_service using (true) with check (true);
create policy sign_in_failures_admin on sign_in_failures for select to portal_user using (portal_role() = 'admin');
grant select on sign_in_failures to portal_user;
grant select, insert, update, delete on sign_in_failures to portal_service;

-- Dates the methods, whichever code changes them. Undoing sets the earlier date in a statement of its own afterwards.
create function date_contact() returns trigger language plpgsql as $$
begin
  if new.email is distinct from old.email or new.email_verified and not old.email_verified then
    new.email_since := now();
  end if;
  if new.phone_number is distinct from old.phone_number
      or coalesce(new.phone_number_verified, false) and not coalesce(old.phone_number_verified, false) then
    new.phone_since := case when new.phone_number is not null then now() end;
  end if;
  return new;
end $$;
create trigger date_contact before update of email, email_verified, phone_number, phone_number_verified on auth_users
  for each row execute function date_contact();

create function date_password() returns trigger language plpgsql as $$
begin
  if new.password is distinct from old.password then new.since := now(); end if;
  return new;
end $$;
create trigger date_password before update of password on auth_accounts
  for each row execute function date_password();

-- An open socket was authorised when it was opened. Once a session ends or changes what it may do, every node is
-- notified of it: 'session:…' and 'person:…', several at a time.
create function notify_access_change(names text[]) returns void language plpgsql as $$
declare names_at_once constant integer := 100;
begin
  -- Most changes do not affect access.
  if cardinality(names) = 0 then return; end if;
  for at in 0 .. (cardinality(names) - 1) / names_at_once loop
    perform pg_notify('access_changes', array_to_string(names[at * names_at_once + 1 : (at + 1) * names_at_once], ','));
  end loop;
end $$;

create function notify_ended_sessions() returns trigger language plpgsql as $$
begin
  perform notify_access_change(array(select 'session:' || o.id from old_rows o));
  return null;
end $$;
create trigger notify_ended_sessions after delete on auth_sessions referencing old table as old_rows
  for each statement execute function notify_ended_sessions();

-- The second factor was given, or is required again.
create function notify_changed_sessions() returns trigger language plpgsql as $$
begin
  perform notify_access_change(array(
    select 'session:' || n.id from new_rows n join old_rows o using (id)
    where n.user_id is distinct from o.user_id or n.token is distinct from o.token
      or (n.second_factor_at is null) is distinct from (o.second_factor_at is null)));
  return null;
end $$;
create trigger notify_changed_sessions after update on auth_sessions
  referencing old table as old_rows new table as new_rows for each statement execute function notify_changed_sessions();
