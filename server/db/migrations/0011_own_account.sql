-- A person's own account: asking for the password again, and erasing everything about the person.

-- When the password was given again in this session.
alter table auth_sessions add column confirmed_at timestamptz;

-- Of her record as a person, somebody changes the own name; the rest comes from the hub or from an administrator.
create function guard_person_change() returns trigger language plpgsql as $$
declare own constant text[] := array['first_name', 'last_name', 'updated_at'];
begin
  if current_user = 'portal_user' and portal_role() <> 'admin' and to_jsonb(new) - own is distinct from to_jsonb(old) - own then
    raise exception 'own_person' using errcode = '42501', detail = 'These fields are changed by an administrator.';
  end if;
  return new;
end $$;
create trigger guard_person_change before update on persons
  for each row execute function guard_person_change();

-- The one change an entry of the audit trail may see: what it says of an erased person is reduced to these fields. Only
-- erase_sign_in, which belongs to the login role, passes this policy.
create policy audit_erasure on audit_log for all to current_user using (true) with check (true);
create function impersonal(entry jsonb) returns jsonb language sql immutable as
$$ select case when jsonb_typeof(entry) = 'object' then (
     select jsonb_object_agg(key, value) from jsonb_each(entry)
     where key in ('role', 'permissions', 'profile_status', 'scope_countries', 'scope_chapters', 'role_ends_at', 'fields', 'bucket')) end $$;

/*
 * Ends every way in of a person and everything kept for signing in; sessions, accounts, passkeys and second steps go with
 * the user. The portal itself calls it, in the transaction that makes the profile anonymous.
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
      -- A mail server's answer that was noted, for one.
      or position(who.email in concat_ws(' ', before, after, reason)) > 0;
end $$;
revoke all on function erase_sign_in from public;
grant execute on function erase_sign_in to portal_service;

-- The farewell goes to an address that nothing else knows any more: once it is gone, nothing holds the address.
create function forget_erased_recipient() returns trigger language plpgsql as $$
begin
  if new.template = 'account-erased' and new.status in ('sent', 'delivered', 'recorded', 'failed') then
    new.recipient := 'erased';
    new.body_text := '';
    new.body_html := null;
    new.error := null;
    new.receipt := null;
  end if;
  return new;
end $$;
create trigger forget_erased_recipient before insert or update on messages
  for each row execute function forget_erased_recipient();
