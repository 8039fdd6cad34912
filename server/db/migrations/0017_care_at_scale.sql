-- The rules of 0012 for who sees which locales, said so that the claims are read once for a query and not once for each
-- of a hundred thousand rows: what a sub-select gives is the same for all rows.

/* The locales on whose list the caller is, with an account. */
create function portal_served() returns uuid[] language sql stable security definer set search_path = public as
$$ select coalesce(array_agg(s.locale_id), '{}') from locale_servants s where s.user_id = portal_user_id() $$;

alter policy locales_admin on locales
  using ((select portal_role()) = 'admin') with check ((select portal_role()) = 'admin');
alter policy locales_care on locales using (
  ((select portal_role()) = 'mfa_coordinator' and (
    ((select portal_scope_countries()) is null and (select portal_scope_chapters()) is null)
    or country_code = any ((select portal_scope_countries())::text[])
    or chapter_id = any ((select portal_scope_chapters())::uuid[])))
  or ((select portal_role()) = 'local_servant' and id = any ((select portal_served())::uuid[])));
