CREATE TABLE `job_counts` (
	`user_id` text NOT NULL,
	`status` text NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`user_id`, `status`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `job_counts` SELECT `user_id`, `status`, count(*) FROM `jobs` GROUP BY `user_id`, `status`;
--> statement-breakpoint
CREATE TRIGGER `job_counted` AFTER INSERT ON `jobs` BEGIN
	INSERT INTO `job_counts` VALUES (NEW.`user_id`, NEW.`status`, 1)
		ON CONFLICT DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `job_counted_anew` AFTER UPDATE OF `status` ON `jobs` WHEN OLD.`status` <> NEW.`status` BEGIN
	UPDATE `job_counts` SET `total` = `total` - 1 WHERE `user_id` = OLD.`user_id` AND `status` = OLD.`status`;
	INSERT INTO `job_counts` VALUES (NEW.`user_id`, NEW.`status`, 1)
		ON CONFLICT DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `job_counted_no_more` AFTER DELETE ON `jobs` BEGIN
	UPDATE `job_counts` SET `total` = `total` - 1 WHERE `user_id` = OLD.`user_id` AND `status` = OLD.`status`;
END;
--> statement-breakpoint
CREATE TABLE `__new_archive_stays` (
	`id` integer PRIMARY KEY NOT NULL,
	`job_id` text NOT NULL,
	`user_id` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`stored_at` integer NOT NULL,
	`removed_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_archive_stays`(`job_id`, `user_id`, `size_bytes`, `stored_at`, `removed_at`) SELECT `job_id`, `user_id`, `size_bytes`, `stored_at`, `removed_at` FROM `archive_stays`;--> statement-breakpoint
DROP TABLE `archive_stays`;--> statement-breakpoint
ALTER TABLE `__new_archive_stays` RENAME TO `archive_stays`;--> statement-breakpoint
CREATE INDEX `archive_stays_of_user` ON `archive_stays` (`user_id`,`removed_at`,`stored_at`,`size_bytes`);--> statement-breakpoint
CREATE INDEX `archive_stays_of_job` ON `archive_stays` (`job_id`);
