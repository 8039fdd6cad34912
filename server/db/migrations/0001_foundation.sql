-- What every other table relies on: the portal's roles, and the claims that say who a transaction acts for.
-- Migrations run on PostgreSQL 15 to 18 and on PGlite.

-- Roles belong to the whole cluster: another database, or another node starting at this moment, may have made them.
do $$
declare name text;
begin
  foreach name in array array['portal_anonymous', 'portal_user', 'portal_service'] loop
    begin
      execute format('create role %I nologin', name);
    exception when duplicate_object or unique_violation then null;
    end;
    begin
      execute format('grant %I to current_user', name);
    exception when others then
      -- A superuser may act as any role without being a member; anybody else needs the grant.
      if not (select rolsuper from pg_roles where rolname = current_user) then raise; end if;
    end;
  end loop;
end $$;

grant usage on schema public to portal_anonymous, portal_user, portal_service;

create extension if not exists pg_trgm;

-- Set for one transaction by withClaims; empty outside of it, so that the policies treat the caller as nobody.
create function portal_claims() returns jsonb language sql stable as
$$ select coalesce(nullif(current_setting('portal.claims', true), ''), '{}')::jsonb $$;
create function portal_user_id() returns uuid language sql stable as
$$ select (portal_claims() ->> 'user_id')::uuid $$;
create function portal_role() returns text language sql stable as
$$ select portal_claims() ->> 'role' $$;
create function portal_is_coordinator() returns boolean language sql stable as
$$ select portal_role() in ('mfa_coordinator', 'pdos_coordinator', 'local_servant') $$;

-- The scope of the caller's role: null without a list of that kind.
create function portal_scope_countries() returns text[] language sql stable as
$$ select case when jsonb_typeof(portal_claims() -> 'scope' -> 'countries') = 'array'
     then array(select jsonb_array_elements_text(portal_claims() -> 'scope' -> 'countries')) end $$;
create function portal_scope_chapters() returns uuid[] language sql stable as
$$ select case when jsonb_typeof(portal_claims() -> 'scope' -> 'chapters') = 'array'
     then array(select jsonb_array_elements_text(portal_claims() -> 'scope' -> 'chapters')::uuid) end $$;

/* True where one of the countries is in the caller's scope. A scope of chapters alone covers no country. */
create function portal_covers(places text[]) returns boolean language sql stable as
$$ select case when portal_scope_countries() is null then portal_scope_chapters() is null
     else coalesce(places && portal_scope_countries(), false) end $$;
/* True for MFA coordinators without a limit. */
create function portal_scope_everywhere() returns boolean language sql stable as
$$ select portal_role() = 'mfa_coordinator' and portal_scope_countries() is null and portal_scope_chapters() is null $$;
