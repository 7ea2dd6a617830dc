import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import type { ShippedPackage } from './shipped-packages.ts'

/** The licenses of what the executable contains, as text. */
export function thirdPartyNotices(packages: readonly ShippedPackage[], bunVersion: string): string {
  const bun = `Bun ${bunVersion} (MIT)

The executable contains the Bun runtime, which contains JavaScriptCore and other libraries under their own licenses:
https://github.com/oven-sh/bun/blob/bun-v${bunVersion}/LICENSE.md`
  const others = packages.map(({ name, version, license, licenseText }) =>
    `${name} ${version} (${license})\n\n${licenseText}`.trim(),
  )
  return `${[bun, ...others].join(`\n\n${'-'.repeat(78)}\n\n`)}\n`
}

/**
 * A list of what the executable contains in the format CycloneDX (ECMA-424), as JSON. Everything in it comes from the commit, so
 * that it can be reproduced.
 * @param commitTime of the commit
 */
export function billOfMaterials(
  version: string,
  packages: readonly ShippedPackage[],
  bunVersion: string,
  commitTime: Date,
): string {
  const bom = new Models.Bom()
  const holdall = new Models.Component(Enums.ComponentType.Application, 'holdall', {
    version,
    bomRef: `holdall@${version}`,
  })
  bom.metadata.timestamp = commitTime
  bom.metadata.component = holdall
  for (const { name, version, license } of [
    ...packages,
    { name: 'bun', version: bunVersion, license: 'MIT' },
  ]) {
    const isExpression = /[ ()]/.test(license)
    const component = new Models.Component(Enums.ComponentType.Library, name, {
      version,
      bomRef: `${name}@${version}`,
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      licenses: new Models.LicenseRepository([
        isExpression ? new Models.LicenseExpression(license) : new Models.SpdxLicense(license),
      ]),
    })
    bom.components.add(component)
    holdall.dependencies.add(component.bomRef)
  }
  const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6)
  return `${new Serialize.JsonSerializer(factory).serialize(bom, { sortLists: true, space: 2 })}\n`
}
