import fc from 'fast-check'

// Locally every run tries new values; in CI the seed is fixed, so that a run can be repeated.
if (process.env.CI) fc.configureGlobal({ seed: 20_251_007 })
