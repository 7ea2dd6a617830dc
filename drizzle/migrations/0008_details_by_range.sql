CREATE TABLE `__new_entries` (
	`job_id` text NOT NULL,
	`position` integer NOT NULL,
	`status` text NOT NULL,
	`name` text,
	`offset` integer,
	`header_bytes` integer,
	`compressed_bytes` integer,
	`size_bytes` integer,
	`modified_at_ms` integer,
	`crc32` integer,
	`method` integer,
	`durable_bytes` integer,
	`etag` text,
	`error` text,
	PRIMARY KEY(`job_id`, `position`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_entries`("job_id", "position", "status", "name", "offset", "header_bytes", "compressed_bytes", "size_bytes", "modified_at_ms", "crc32", "method", "durable_bytes", "etag", "error") SELECT "job_id", "position", "status", "name", "offset", "header_bytes", "compressed_bytes", "size_bytes", "modified_at_ms", "crc32", "method", "durable_bytes", "etag", "error" FROM `entries`;--> statement-breakpoint
DROP TABLE `entries`;--> statement-breakpoint
ALTER TABLE `__new_entries` RENAME TO `entries`;--> statement-breakpoint
CREATE TABLE `__new_sources` (
	`job_id` text NOT NULL,
	`position` integer NOT NULL,
	`url` text NOT NULL,
	`filename` text,
	PRIMARY KEY(`job_id`, `position`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_sources`("job_id", "position", "url", "filename") SELECT "job_id", "position", "url", "filename" FROM `sources`;--> statement-breakpoint
DROP TABLE `sources`;--> statement-breakpoint
ALTER TABLE `__new_sources` RENAME TO `sources`;--> statement-breakpoint
CREATE TRIGGER `delete_details_of_deleted_job` AFTER DELETE ON `jobs` BEGIN
	DELETE FROM `entries` WHERE `job_id` = OLD.`id`;
	DELETE FROM `sources` WHERE `job_id` = OLD.`id`;
END;
