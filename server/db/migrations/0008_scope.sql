-- Whoever is limited to chapters alone is not limited to no place at all: by country such a role covers nobody.
create or replace function portal_covers(places text[]) returns boolean language sql stable as
$$ select case when portal_scope_countries() is null then portal_scope_chapters() is null
     else coalesce(places && portal_scope_countries(), false) end $$;
