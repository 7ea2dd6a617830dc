DROP TRIGGER `stay_counted`;
--> statement-breakpoint
DROP TRIGGER `stay_counted_anew`;
--> statement-breakpoint
DROP TRIGGER `job_counted`;
--> statement-breakpoint
DROP TRIGGER `job_counted_anew`;
--> statement-breakpoint
DROP TRIGGER `job_counted_no_more`;
--> statement-breakpoint
DROP TRIGGER `job_let_go`;
--> statement-breakpoint
DROP TRIGGER `job_deleted`;
--> statement-breakpoint
ALTER TABLE `archive_stays` RENAME TO `retention_periods`;
--> statement-breakpoint
ALTER TABLE `discards` RENAME TO `file_deletions`;
--> statement-breakpoint
DROP INDEX `archive_stays_of_user`;
--> statement-breakpoint
DROP INDEX `archive_stays_by_start`;
--> statement-breakpoint
DROP INDEX `archive_stays_of_job`;
--> statement-breakpoint
DROP INDEX `discards_of_job`;
--> statement-breakpoint
CREATE INDEX `retention_periods_by_end` ON `retention_periods` (`user_id`,`removed_at`,`stored_at`,`size_bytes`);
--> statement-breakpoint
CREATE INDEX `retention_periods_by_start` ON `retention_periods` (`user_id`,`stored_at`,`size_bytes`);
--> statement-breakpoint
CREATE INDEX `retention_periods_of_job` ON `retention_periods` (`job_id`);
--> statement-breakpoint
CREATE INDEX `file_deletions_of_job` ON `file_deletions` (`job_id`);
--> statement-breakpoint
CREATE TRIGGER `count_created_job` AFTER INSERT ON `jobs` BEGIN
	INSERT INTO `job_counts` VALUES (NEW.`user_id`, NEW.`status`, 1)
		ON CONFLICT DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `count_changed_job` AFTER UPDATE OF `status` ON `jobs` WHEN OLD.`status` <> NEW.`status` BEGIN
	UPDATE `job_counts` SET `total` = `total` - 1 WHERE `user_id` = OLD.`user_id` AND `status` = OLD.`status`;
	INSERT INTO `job_counts` VALUES (NEW.`user_id`, NEW.`status`, 1)
		ON CONFLICT DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `count_deleted_job` AFTER DELETE ON `jobs` BEGIN
	UPDATE `job_counts` SET `total` = `total` - 1 WHERE `user_id` = OLD.`user_id` AND `status` = OLD.`status`;
END;
--> statement-breakpoint
CREATE TRIGGER `count_begun_retention` AFTER INSERT ON `retention_periods` BEGIN
	INSERT INTO `usage_hours`
		SELECT NEW.`user_id`, `at` / 3600000, `sign` * NEW.`size_bytes`,
			`sign` * (NEW.`size_bytes` & 1048575) * (`at` % 3600000), `sign` * (NEW.`size_bytes` >> 20) * (`at` % 3600000)
		FROM (SELECT NEW.`stored_at` AS `at`, 1 AS `sign` UNION ALL SELECT NEW.`removed_at`, -1) WHERE true
		ON CONFLICT DO UPDATE SET `bytes` = `bytes` + excluded.`bytes`,
			`low_byte_ms` = `low_byte_ms` + excluded.`low_byte_ms`,
			`high_byte_ms` = `high_byte_ms` + excluded.`high_byte_ms`;
END;
--> statement-breakpoint
CREATE TRIGGER `count_shortened_retention` AFTER UPDATE OF `removed_at` ON `retention_periods` BEGIN
	INSERT INTO `usage_hours`
		SELECT NEW.`user_id`, `at` / 3600000, `sign` * NEW.`size_bytes`,
			`sign` * (NEW.`size_bytes` & 1048575) * (`at` % 3600000), `sign` * (NEW.`size_bytes` >> 20) * (`at` % 3600000)
		FROM (SELECT OLD.`removed_at` AS `at`, 1 AS `sign` UNION ALL SELECT NEW.`removed_at`, -1) WHERE true
		ON CONFLICT DO UPDATE SET `bytes` = `bytes` + excluded.`bytes`,
			`low_byte_ms` = `low_byte_ms` + excluded.`low_byte_ms`,
			`high_byte_ms` = `high_byte_ms` + excluded.`high_byte_ms`;
END;
--> statement-breakpoint
CREATE TRIGGER `delete_files_of_swept_job` AFTER UPDATE OF `swept_at` ON `jobs` WHEN OLD.`swept_at` IS NULL AND NEW.`swept_at` IS NOT NULL BEGIN
	INSERT INTO `file_deletions` (`job_id`) VALUES (NEW.`id`);
END;
--> statement-breakpoint
CREATE TRIGGER `delete_files_of_deleted_job` AFTER DELETE ON `jobs` WHEN OLD.`swept_at` IS NULL BEGIN
	INSERT INTO `file_deletions` (`job_id`) VALUES (OLD.`id`);
END;