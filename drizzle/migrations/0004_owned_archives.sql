CREATE TABLE `discards` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`job_id` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `discards_of_job` ON `discards` (`job_id`);--> statement-breakpoint
CREATE TABLE `instance` (
	`id` text PRIMARY KEY NOT NULL
) STRICT;
--> statement-breakpoint
INSERT INTO `instance` VALUES (lower(hex(randomblob(16))));
--> statement-breakpoint
INSERT INTO `discards` (`job_id`) SELECT `id` FROM `jobs` WHERE `swept_at` IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `job_let_go` AFTER UPDATE OF `swept_at` ON `jobs` WHEN OLD.`swept_at` IS NULL AND NEW.`swept_at` IS NOT NULL BEGIN
	INSERT INTO `discards` (`job_id`) VALUES (NEW.`id`);
END;
--> statement-breakpoint
CREATE TRIGGER `job_deleted` AFTER DELETE ON `jobs` WHEN OLD.`swept_at` IS NULL BEGIN
	INSERT INTO `discards` (`job_id`) VALUES (OLD.`id`);
END;
