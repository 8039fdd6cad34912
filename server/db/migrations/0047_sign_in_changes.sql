-- Changes of how people sign in: when each method was added, what undoes a change, and no token as it is used.

-- A method added or changed within a day does not confirm who somebody is (docs/decisions/0028-step-up.md).
alter table auth_users
  add column email_since timestamptz not null default now(),
  add column phone_since timestamptz;
update auth_users set email_since = created_at, phone_since = case when phone_number is not null then updated_at end;
alter table auth_accounts add column since timestamptz not null default now();
update auth_accounts set since = coalesce(updated_at, created_at);
alter table auth_passkeys add column since timestamptz not null default now();
update auth_passkeys set since = coalesce(created_at, now());
-- `since` also moves when the recovery codes are made anew.
alter table auth_two_factors add column since timestamptz not null default now();
update auth_two_factors f set since = u.updated_at from auth_users u where u.id = f.user_id;
-- When the method by which a session was opened was added; null: unknown.
alter table auth_sessions add column method_since timestamptz;

-- Whatever code changes them. Code that puts an earlier state back sets the date afterwards, in a statement of its own.
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

-- Sessions and links go on: only their hash is stored from now on. The same form as hashToken in server/accounts/token-hash.ts.
create function token_hash(token text) returns text language sql immutable as
$$ select rtrim(translate(encode(sha256(convert_to(token, 'UTF8')), 'base64'), '+/', '-_'), '=') $$;
update auth_sessions set token = token_hash(token);
update auth_verifications set identifier = token_hash(identifier) where identifier like 'reset-password:%';
-- Codes to phones were stored as they are; they last ten minutes.
delete from auth_verifications where identifier like '+%';
drop function token_hash(text);

create table sign_in_changes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth_users on delete cascade,
  kind text not null check (kind in ('phone_added', 'phone_changed', 'phone_removed', 'email_changed', 'passkey_added',
    'passkey_removed', 'google_linked', 'google_unlinked', 'hub_linked', 'hub_unlinked', 'second_factor_added',
    'second_factor_removed', 'recovery_codes_renewed', 'password_set', 'password_changed',
    'password_removed')),
  -- What undoing puts back. Never a password.
  former jsonb not null,
  -- Null where the owner has no address but the portal itself.
  undo_token_hash text unique,
  -- Not now(): two changes that waited for one another keep their order.
  changed_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  undone_at timestamptz
);
create index sign_in_changes_user on sign_in_changes (user_id, changed_at);
create index sign_in_changes_expires on sign_in_changes (expires_at);
alter table sign_in_changes enable row level security;
alter table sign_in_changes force row level security;
-- For the login role alone, as all that signs people in.
create policy sign_in_changes_login on sign_in_changes for all to current_user using (true) with check (true);
