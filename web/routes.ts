import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'

/** The one table of addresses. Addresses of later capabilities answer not-found until they are listed here. */
export default [
  layout('layouts/PublicLayout.tsx', [
    index('content/LandingPage.tsx'),
    route('travel-advisories', 'advisories/TravelAdvisoriesPage.tsx'),
    route('travel-advisories/sources', 'advisories/SourcesPage.tsx'),
    route('travel-advisories/:id', 'advisories/AdvisoryPage.tsx'),
    route('countries', 'countries/CountriesPage.tsx'),
    route('countries/:code', 'countries/CountryPage.tsx'),
    route('travel-faq', 'content/TravelFaqPage.tsx'),
    route('*', 'content/NotFoundPage.tsx'),
  ]),
  layout('layouts/DashboardLayout.tsx', [route('dashboard', 'dashboard/DashboardPage.tsx')]),
  layout('layouts/AdminLayout.tsx', [
    route('admin/search', 'overview/AdminSearchPage.tsx'),
    route('admin/users', 'users/UsersPage.tsx'),
    route('admin/roles', 'users/RolesPage.tsx'),
    route('admin/settings', 'settings/SettingsPage.tsx'),
    route('admin/data', 'audit/DataPage.tsx'),
    route('admin/travel-advisories', 'advisories/admin/AdvisoriesAdminPage.tsx'),
    route('admin/travel-advisories/new', 'advisories/admin/NewAdvisoryPage.tsx'),
    route('admin/travel-advisories/sources', 'advisories/admin/SourcesAdminPage.tsx'),
    route('admin/travel-advisories/sources/:source', 'advisories/admin/SourceAdminPage.tsx'),
    route('admin/travel-advisories/names', 'advisories/admin/NamesAdminPage.tsx'),
    route('admin/travel-advisories/:id', 'advisories/admin/EditAdvisoryPage.tsx'),
    route('admin', 'overview/OverviewPage.tsx'),
    route('admin/dashboard', 'overview/OverviewPage.tsx', { id: 'admin-dashboard' }),
    route('admin/coordinator', 'overview/CoordinatorPage.tsx'),
  ]),
  layout('layouts/StandaloneLayout.tsx', [
    route('support', 'content/SupportPage.tsx'),
    route('privacy-policy', 'content/PrivacyPolicyPage.tsx'),
    route('terms', 'content/TermsPage.tsx'),
    route('account-erased', 'profile/ErasedPage.tsx'),
  ]),
  route('dashboard/profile/my-data/file', 'profile/download.ts'),
  route('dashboard/profile/link-google', 'profile/link-google.ts'),
  layout('layouts/PublicLayout.tsx', { id: 'profile-frame' }, [
    layout('profile/ProfileLayout.tsx', [
      route('dashboard/profile', 'profile/AboutPage.tsx'),
      route('dashboard/profile/sign-in', 'profile/SignInPage.tsx'),
      route('dashboard/profile/sessions', 'profile/SessionsPage.tsx'),
      route('dashboard/profile/preferences', 'profile/PreferencesPage.tsx'),
      route('dashboard/profile/my-data', 'profile/MyDataPage.tsx'),
    ]),
  ]),
] satisfies RouteConfig
