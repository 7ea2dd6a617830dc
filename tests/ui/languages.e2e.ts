import { expect } from 'playwright/test'
import { startSite } from '../support/site.ts'
import { test } from './browser-test.ts'
