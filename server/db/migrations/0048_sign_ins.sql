-- Signing in during an attack: which devices and networks an account was opened from, what failed, and which link or
-- code is on its way to whom. The auth_ tables are for the login role alone, as those of 0004.

-- Devices that carry a long-lived cookie; of the cookie only a hash is stored. One device may serve several accounts.
create table auth_devices (
  user_id uuid not null references auth_users on delete cascade,
  token_hash text not null,
  last_used_at timestamptz not null default now(),
  primary key (user_id, token_hash)
);
create index auth_devices_token on auth_devices (token_hash);

-- Networks an account was opened from: a keyed hash, so that no address can be read or tried out of the table.
create table auth_networks (
  user_id uuid not null references auth_users on delete cascade,
  network_hash text not null,
  last_used_at timestamptz not null default now(),
  primary key (user_id, network_hash)
);
create index auth_networks_network on auth_networks (network_hash, last_used_at);

-- The link or code that was last mailed to a recipient: asked for again, the same one goes out again.
create table auth_mails (
  -- Hash of the kind and the recipient.
  key text primary key,
  -- Encrypted with the secret of the portal; null until there is one, and after it was used.
  secret text,
  secret_hash text,
  expires_at timestamptz,
  -- Mails of the running hour, which began at `counted_since`.
  sent integer not null default 0,
  counted_since timestamptz not null default now(),
  last_sent_at timestamptz
);
create index auth_mails_secret on auth_mails (secret_hash);

-- What failed, counted in steps of ten minutes. Nothing that was typed is stored, and of a network only its beginning
-- (IPv4 /24, IPv6 /48).
create table sign_in_failures (
  at timestamptz not null,
  way text not null check (length(way) <= 20),
  reason text not null check (length(reason) <= 20),
  -- Null where the name is unknown here.
  auth_user_id uuid references auth_users on delete cascade,
  network text not null check (length(network) <= 50),
  count integer not null,
  unique nulls not distinct (at, way, reason, auth_user_id, network)
);
create index sign_in_failures_user on sign_in_failures (auth_user_id, at);

do $$
declare tab text;
begin
  foreach tab in array array['auth_devices', 'auth_networks', 'auth_mails', 'sign_in_failures'] loop
    execute format('alter table %I enable row level security', tab);
    execute format('alter table %I force row level security', tab);
    execute format('create policy %I on %I for all to current_user using (true) with check (true)', tab || '_login', tab);
  end loop;
end $$;

create policy sign_in_failures_service on sign_in_failures for all to portal_service using (true) with check (true);
grant select, insert, update, delete on sign_in_failures to portal_service;
create policy sign_in_failures_admin on sign_in_failures for select to portal_user using (portal_role() = 'admin');
grant select on sign_in_failures to portal_user;
